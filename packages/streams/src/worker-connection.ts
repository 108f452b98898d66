import { MAX_MESSAGE_BYTES } from './frames';
import { readOffer, type WorkerOffer } from './handed-task';
import type { IdleConnection } from './idle-workers';
import type { Peer, PeerHandler } from './peers';
import type { OwnConnection, ReceivedStream } from './received-stream';
import { type DirectEntry, EMPTY, type Gone, type Handed } from './wire';

export interface Admitted {
  stream: ReceivedStream;
  /** Of the claim that it was asked for; absent: the worker says which, once it has claimed the task. */
  fence?: number;
}

interface WorkerConnectionDeps {
  /** Finds the stream of a ticket; throws for anything else. */
  admit(ticket: Record<string, unknown>): Admitted;
  /** Its answer has ended, and the worker waits for another task. */
  onIdle(offer: WorkerOffer): void;
  /** The worker is about to end, and takes the task that it may have been taken for. */
  onLeaving(): void;
}

/**
 * A worker's own connection to the process whose caller waits: first its ticket, then the entries of that one task; then, where both
 * keep the connection, those of the tasks that the worker is handed, one after the other.
 */
export class WorkerConnection implements PeerHandler, OwnConnection, IdleConnection {
  peer: Peer | undefined;
  readonly openedAt = performance.now();
  readonly #deps: WorkerConnectionDeps;
  #stream: ReceivedStream | undefined;
  #fence: number | undefined;
  #chunks = 0;
  #isAttached = false;
  #isOver = false;
  #isKept = false;
  #isClosed = false;
  #isLeaving = false;
  /** Between two answers. */
  #isBetween = false;
  /** By the worker's clock: when it sent what came last of those messages that say so. */
  #workerTime = Number.NEGATIVE_INFINITY;

  constructor(deps: WorkerConnectionDeps) {
    this.#deps = deps;
  }

  get isLeaving(): boolean {
    return this.#isLeaving || this.#isClosed;
  }

  get workerTime(): number {
    return this.#workerTime;
  }

  get heardAt(): number {
    return this.peer?.receivedAt ?? Number.NEGATIVE_INFINITY;
  }

  receiveMessage(message: Record<string, unknown>): void {
    const { kind, now } = message;
    if (typeof now === 'number') this.#workerTime = now;
    if (kind === 'heartbeat') return;
    if (this.#isBetween) this.#receiveOffer(message);
    else if (this.#stream === undefined) this.#welcome(message);
    else if (kind === 'begin') this.#begin(this.#stream, message);
    else this.#receive(message as unknown as DirectEntry);
  }

  receiveAudio(bytes: Buffer): void {
    this.#receive({ kind: 'chunk', value: this.#chunks }, bytes);
    this.#chunks += 1;
  }

  closed(): void {
    this.#isClosed = true;
    if (this.#isAttached) this.#stream?.detach(this);
  }

  acknowledge(bytes: number): void {
    this.peer?.send({ kind: 'acknowledged', bytes });
  }

  /** After `gone` nothing more is received; a worker whose caller has left has the last word. */
  reportGone(kind: Gone): void {
    this.peer?.send({ kind });
    if (kind === 'gone') this.end();
  }

  end(): void {
    this.peer?.end();
  }

  /** The answer has ended. */
  release(): void {
    if (!this.#isKept) return void this.end();
    this.#isBetween = true;
    this.#isAttached = false;
    this.#stream = undefined;
  }

  /** The task is booked for this worker, and its caller listens. */
  hand(stream: ReceivedStream, { task, claimAskedAt }: Omit<Handed, 'workerTime'>): void {
    this.#stream = stream;
    this.#fence = task.fence;
    this.#chunks = 0;
    this.#isBetween = false;
    this.#isAttached = stream.claim(this, task.fence);
    if (!this.#isAttached) return void this.end();
    if (this.#isClosed) return void stream.detach(this);
    this.peer?.send({ kind: 'handed', task, workerTime: this.#workerTime, claimAskedAt });
  }

  /** Nobody waits any more for a worker that has not begun. */
  endUnclaimed(): void {
    if (this.#isAttached || this.#isBetween) return;
    this.#isOver = true;
    this.end();
  }

  #welcome(ticket: Record<string, unknown>): void {
    const { stream, fence } = this.#deps.admit(ticket);
    this.#stream = stream;
    this.#fence = fence;
    this.#isKept = ticket['keeps'] === true;
    this.peer?.limitMessages(MAX_MESSAGE_BYTES);
    this.peer?.send({ kind: 'welcome', keeps: true });
  }

  /** A worker that has given up waiting for its welcome does not begin here, and comes through Redis. */
  #begin(stream: ReceivedStream, { fence: claimed }: Record<string, unknown>): void {
    if (this.#isOver) return;
    this.#isAttached = true;
    const isTaken = this.#fence === undefined ? stream.claim(this, Number(claimed)) : stream.attach(this, this.#fence);
    if (!isTaken) this.reportGone('gone');
  }

  #receive(entry: DirectEntry, bytes: Buffer = EMPTY): void {
    if (this.#isOver) return;
    if (!this.#isAttached) throw new Error('an answer without a ticket');
    this.#stream?.receiveFrom(this, entry, bytes);
  }

  #receiveOffer({ kind, offer }: Record<string, unknown>): void {
    if (kind === 'idle') this.#deps.onIdle(readOffer(offer));
    if (kind !== 'leaving') return;
    this.#isLeaving = true;
    this.#deps.onLeaving();
  }
}
