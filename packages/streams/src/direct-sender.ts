import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiConnection } from './api-connection';
import { handedWithinMs } from './handed-task';
import type { EarlyConnection, OutgoingStream, StreamClaim, TaskTaker } from './outgoing-stream';
import { Peer, Peers } from './peers';
import { keyOf } from './receivers';
import type { StreamTiming } from './timing';
import type { Direct } from './wire';

/** From the first packet to the welcome. A speech meanwhile waits for its intent to be written in any case. */
const WELCOME_MS = 500;
/** An address that was not reached is not tried again for so long. */
const UNREACHABLE_MS = 10_000;
const MAX_UNREACHABLE = 1024;
/** For an API process to hand over what it has booked. */
const LEAVE_MS = 3000;

interface DirectSenderDeps {
  timing: StreamTiming;
  onError(error: Error): void;
}

/** Brings answers to API processes without Redis between, each on a connection that carries no other meanwhile. */
export class DirectSender {
  readonly #deps: DirectSenderDeps;
  readonly #peers: Peers;
  readonly #connections = new Set<ApiConnection>();
  /** Streams, by their keys. */
  readonly #open = new Set<string>();
  #taker: TaskTaker | undefined;
  /** Until when, by address. */
  readonly #unreachable = new Map<string, number>();

  constructor(deps: DirectSenderDeps) {
    this.#deps = deps;
    this.#peers = new Peers(deps.timing);
  }

  takeTasks(taker: TaskTaker): void {
    this.#taker = taker;
  }

  /** Resolves once none is on its way. */
  async takeNoMore(): Promise<void> {
    const taker = this.#taker;
    if (taker) this.#taker = { offer: () => undefined, take: (task, way) => taker.take(task, way) };
    const left = Promise.all([...this.#connections].map((connection) => connection.leave()));
    await Promise.race([left, delay(LEAVE_MS, undefined, { ref: false })]);
    // A task that comes later would be cut off in the middle: its API process refunds it at once.
    for (const connection of this.#idle()) connection.peer?.destroy();
  }

  /** Undefined: there is no way, and nothing was sent. */
  async open(direct: Direct, claim: StreamClaim): Promise<OutgoingStream | undefined> {
    const connection = await this.#reach(direct, claim.taskId);
    return connection?.begin(claim);
  }

  /** The same before there is a claim; `open` of what it returns then begins. */
  connect(direct: Direct, taskId: string): EarlyConnection {
    let isTaken = false;
    const reached = this.#reach(direct, taskId);
    return {
      open: async (claim) => {
        const connection = await reached;
        if (connection === undefined || connection.isClosed || isTaken) return undefined;
        isTaken = true;
        return connection.begin(claim);
      },
      close() {
        if (!isTaken) void reached.then((connection) => connection?.peer?.end());
        isTaken = true;
      },
    };
  }

  async #reach(direct: Direct, taskId: string): Promise<ApiConnection | undefined> {
    const address = `${direct.host} ${direct.port}`;
    if (performance.now() < (this.#unreachable.get(address) ?? 0)) return undefined;
    return this.#connect(direct, taskId, () => this.#remember(address));
  }

  has(key: string): boolean {
    return this.#open.has(key);
  }

  close(): void {
    this.#peers.close();
  }

  /** @param onUnreached called unless somebody answered, if only by closing the connection, as to a caller who has left. */
  #connect({ host, port, token }: Direct, taskId: string, onUnreached: () => void): Promise<ApiConnection | undefined> {
    return new Promise((resolve) => {
      let isReached = false;
      const socket = connect({ host, port }, () => {
        isReached = true;
      });
      const limit = setTimeout(() => {
        isReached = false;
        socket.destroy();
      }, WELCOME_MS);
      const connection = this.#newConnection((isWelcome) => {
        clearTimeout(limit);
        if (!isReached) onUnreached();
        resolve(isWelcome ? connection : undefined);
      });
      const peer = new Peer(socket, connection, this.#deps.onError);
      connection.peer = peer;
      this.#peers.add(peer);
      this.#connections.add(connection);
      peer.onClose(() => this.#connections.delete(connection));
      peer.send({ taskId, token, keeps: true });
    });
  }

  #newConnection(onWelcome: (isWelcome: boolean) => void): ApiConnection {
    return new ApiConnection({
      onWelcome,
      onBegin: ({ taskId, fence }) => this.#open.add(keyOf(taskId, fence)),
      onEnd: ({ taskId, fence }) => this.#open.delete(keyOf(taskId, fence)),
      handedWithinMs: handedWithinMs(this.#deps.timing),
      taker: () => this.#taker,
      idle: () => this.#idle().length,
    });
  }

  #idle(): ApiConnection[] {
    return [...this.#connections].filter(({ isIdle }) => isIdle);
  }

  #remember(address: string): void {
    if (this.#unreachable.size >= MAX_UNREACHABLE) this.#unreachable.clear();
    this.#unreachable.set(address, performance.now() + UNREACHABLE_MS);
  }
}
