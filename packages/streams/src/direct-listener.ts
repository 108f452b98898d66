import { createHash, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { DirectAddress } from './direct-address';
import { type HandOver, handedWithinMs, type WaitingWorker } from './handed-task';
import { IdleWorkers } from './idle-workers';
import { Peer, Peers } from './peers';
import type { ReceivedStream } from './received-stream';
import type { StreamTiming } from './timing';
import type { Direct, ListenerQuestion } from './wire';
import { type Admitted, WorkerConnection } from './worker-connection';

/** A stranger, who has not named a ticket, is closed after so long. */
const FIRST_MESSAGE_MS = 1000;
const FIRST_MESSAGE_BYTES = 512;
const TOKEN_BYTES = 32;
/** Connections that may wait for their first message, beside one for each caller. */
const MAX_STRANGERS = 64;
/** Connections of workers that wait for a task. */
const MAX_IDLE = 256;
const IDLE_MAX_AGE_MS = 30_000;

interface DirectListenerDeps {
  address: DirectAddress;
  /** By task id. */
  streams: ReadonlyMap<string, ReceivedStream>;
  timing: StreamTiming;
  maxCallers: number;
  /** Of a connection. */
  onError(error: Error): void;
  onNotListening(error: Error): void;
}

/** One worker may connect once with it, for one claim of one task. */
interface Ticket {
  token: string;
  fence: number;
  isUsed: boolean;
}

/** The port at which workers bring answers without Redis between. Whoever names no ticket of a caller who waits is closed. */
export class DirectListener {
  readonly #deps: DirectListenerDeps;
  readonly #server: Server;
  readonly #peers: Peers;
  readonly #strangers = new Set<Socket>();
  /** By task id. */
  readonly #tickets = new Map<string, Ticket>();
  /** Of the tokens that are given out before there is a claim, so that none needs to be kept. */
  readonly #secret = createSecretKey(randomBytes(TOKEN_BYTES));
  /** By task id: workers that came with such a token, and are still to say what they have claimed. */
  readonly #early = new Map<string, WorkerConnection>();
  readonly #idle: IdleWorkers;

  constructor(deps: DirectListenerDeps) {
    const { address, maxCallers, onNotListening, timing } = deps;
    this.#deps = deps;
    this.#peers = new Peers(timing);
    const heardWithinMs = handedWithinMs(timing) - timing.workerHeartbeatMs / 2;
    this.#idle = new IdleWorkers({ max: MAX_IDLE, maxAgeMs: IDLE_MAX_AGE_MS, heardWithinMs });
    this.#server = createServer((socket) => this.#accept(socket)).on('error', onNotListening);
    this.#server.maxConnections = maxCallers + MAX_STRANGERS + MAX_IDLE;
    this.#server.listen(address.port, address.host);
  }

  /** Undefined: the worker cannot connect, or has. */
  ticketFor({ taskId, fence }: ListenerQuestion): Direct | undefined {
    if (!this.#server.listening) return undefined;
    const issued = this.#tickets.get(taskId);
    const isNew = issued?.fence !== fence;
    const ticket = isNew ? { token: randomBytes(TOKEN_BYTES).toString('base64url'), fence, isUsed: false } : issued;
    this.#tickets.set(taskId, ticket);
    return ticket.isUsed ? undefined : { ...this.#reachedAt(), token: ticket.token };
  }

  /** Good for one connection, whatever its claim will be, as soon as somebody waits for the task. Undefined: no worker can connect. */
  addressOf(taskId: string): Direct | undefined {
    return this.#server.listening ? { ...this.#reachedAt(), token: this.#earlyToken(taskId) } : undefined;
  }

  /** A worker that waits for a task of the model. */
  takeWorker(model: string): WaitingWorker | undefined {
    return this.#idle.take(model);
  }

  /** Whoever waits for the task listens. */
  hand(stream: ReceivedStream, { worker, task }: HandOver): void {
    this.#idle.hand(worker, stream, task);
  }

  /** Nobody waits for the task any more. */
  forget(taskId: string): void {
    this.#tickets.delete(taskId);
    this.#early.get(taskId)?.endUnclaimed();
    this.#early.delete(taskId);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#strangers) socket.destroy();
    this.#peers.close();
  }

  #reachedAt(): { host: string; port: number } {
    const { host, advertise } = this.#deps.address;
    const { port } = this.#server.address() as AddressInfo;
    return { host: advertise ?? (isAny(host) ? ownAddress() : host), port };
  }

  #accept(socket: Socket): void {
    if (this.#strangers.size >= MAX_STRANGERS) return void socket.destroy();
    this.#strangers.add(socket);
    const limit = setTimeout(() => socket.destroy(), FIRST_MESSAGE_MS);
    const isNoStranger = () => {
      clearTimeout(limit);
      this.#strangers.delete(socket);
    };
    const admit = (ticket: Record<string, unknown>) => {
      const admitted = this.#admit(ticket, connection);
      isNoStranger();
      this.#peers.add(peer);
      return admitted;
    };
    const connection = new WorkerConnection({
      admit,
      onIdle: (offer) => this.#idle.add(connection, offer),
      onLeaving: () => this.#idle.remove(connection) && connection.end(),
    });
    const peer = new Peer(socket, connection, this.#deps.onError);
    peer.onClose(() => {
      isNoStranger();
      this.#idle.remove(connection);
    });
    peer.limitMessages(FIRST_MESSAGE_BYTES);
    connection.peer = peer;
  }

  /** @throws Error for whoever has no ticket. */
  #admit({ taskId, token }: Record<string, unknown>, connection: WorkerConnection): Admitted {
    const id = String(taskId);
    const ticket = this.#tickets.get(id);
    const stream = this.#deps.streams.get(id);
    const isEarly = isSame(String(token), this.#earlyToken(id));
    if (isEarly && stream !== undefined && !this.#early.has(id)) {
      this.#early.set(id, connection);
      return { stream };
    }
    // Compared where there is none, too, so that the time says nothing.
    const isRight = isSame(String(token), ticket?.token ?? '');
    const isValid = isRight && ticket?.isUsed === false && ticket.fence === stream?.fence;
    if (!isValid || stream === undefined) throw new Error('a connection without a ticket');
    ticket.isUsed = true;
    return { stream, fence: stream.fence };
  }

  #earlyToken(taskId: string): string {
    return createHmac('sha256', this.#secret).update(taskId).digest('base64url');
  }
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal }) => !internal)?.address ?? '127.0.0.1';
}
