import { connect } from 'node:net';
import type { EarlyConnection, StreamClaim } from './outgoing-stream';
import { Peer, type PeerHandler, Peers } from './peers';
import { keyOf } from './receivers';
import { SentStream } from './sent-stream';
import type { StreamTiming } from './timing';
import type { Direct, DirectAnswer } from './wire';

/** From the first packet to the welcome. A speech meanwhile waits for its intent to be written in any case. */
const WELCOME_MS = 500;
/** An address that was not reached is not tried again for so long. */
const UNREACHABLE_MS = 10_000;
const MAX_UNREACHABLE = 1024;

interface DirectSenderDeps {
  timing: StreamTiming;
  onError(error: Error): void;
}

/** Brings answers to API processes without Redis between, each on a connection of its own. */
export class DirectSender {
  readonly #deps: DirectSenderDeps;
  readonly #peers: Peers;
  readonly #open = new Set<string>();
  /** Until when, by address. */
  readonly #unreachable = new Map<string, number>();

  constructor(deps: DirectSenderDeps) {
    this.#deps = deps;
    this.#peers = new Peers(deps.timing);
  }

  /** Undefined: there is no way, and nothing was sent. */
  async open(direct: Direct, claim: StreamClaim): Promise<SentStream | undefined> {
    const connection = await this.#reach(direct, claim.taskId);
    return connection && this.#begin(connection, claim);
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
        return this.#begin(connection, claim);
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

  #begin(connection: ApiConnection, claim: StreamClaim): SentStream {
    const key = keyOf(claim.taskId, claim.fence);
    this.#open.add(key);
    return connection.begin(claim, () => this.#open.delete(key));
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
      const connection = new ApiConnection((isWelcome) => {
        clearTimeout(limit);
        if (!isReached) onUnreached();
        resolve(isWelcome ? connection : undefined);
      });
      connection.peer = new Peer(socket, connection, this.#deps.onError);
      this.#peers.add(connection.peer);
      connection.peer.send({ taskId, token });
    });
  }

  #remember(address: string): void {
    if (this.#unreachable.size >= MAX_UNREACHABLE) this.#unreachable.clear();
    this.#unreachable.set(address, performance.now() + UNREACHABLE_MS);
  }
}

/** A connection to the process whose caller waits for one task. */
class ApiConnection implements PeerHandler {
  peer: Peer | undefined;
  readonly #onWelcome: (isWelcome: boolean) => void;
  #stream: SentStream | undefined;
  #closed = false;
  #isWelcome = false;

  constructor(onWelcome: (isWelcome: boolean) => void) {
    this.#onWelcome = onWelcome;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  begin({ taskId, fence, signal }: StreamClaim, onEnd: () => void): SentStream {
    const { peer } = this;
    const stream = new SentStream({
      taskId,
      fence,
      signal,
      add({ kind, value }, bytes) {
        if (kind === 'chunk') peer?.sendAudio(bytes);
        else peer?.send({ kind, value });
        return undefined;
      },
      onEnd() {
        onEnd();
        peer?.end();
      },
    });
    this.#stream = stream;
    peer?.send({ kind: 'begin', fence });
    if (this.#closed) stream.end('api_gone');
    return stream;
  }

  receiveMessage(message: Record<string, unknown>): void {
    const answer = message as unknown as DirectAnswer;
    switch (answer.kind) {
      case 'welcome':
        this.#isWelcome = true;
        this.#onWelcome(true);
        break;
      case 'acknowledged':
        this.#stream?.receiveAcknowledged(answer.bytes);
        break;
      case 'left':
      case 'gone':
        this.#stream?.end(answer.kind === 'left' ? 'caller_left' : 'api_gone');
        break;
      case 'heartbeat':
        break;
      default:
        answer satisfies never;
    }
  }

  receiveAudio(): void {
    throw new Error('audio for a worker');
  }

  closed(): void {
    this.#closed = true;
    if (!this.#isWelcome) this.#onWelcome(false);
    this.#stream?.end('api_gone');
  }
}
