import { EventQueue } from './event-queue';
import type { IncomingStream, StreamEvent } from './incoming-stream';
import { WINDOW_BYTES } from './outgoing-stream';
import { type Acknowledged, type DirectEntry, type Gone, type ListenerQuestion, readFailure, type Sent } from './wire';

/** Bytes after which an acknowledgement is sent at once instead of with the next heartbeat. */
const ACKNOWLEDGE_BYTES = WINDOW_BYTES / 2;

/** In place of the id of a worker that has asked nobody; no question has it. */
const ON_ITS_CONNECTION = 'its connection';

/** What a stream asks of the session with its worker, where that has no connection of its own. */
export interface ReceivedStreamDeps {
  /** The worker waits to know how much was acknowledged. */
  acknowledge(workerId: string): void;
  reportGone(workerId: string, kind: Gone): void;
  /** There are no more events: forget the stream. */
  onEnd(): void;
}

/** A worker's own way to this process. */
export interface OwnConnection {
  acknowledge(bytes: number): void;
  reportGone(kind: Gone): void;
  /** The answer has ended as it should: the worker may carry another one on it. */
  release(): void;
  end(): void;
}

/**
 * A stream in the process whose caller waits for it. It knows nothing of Redis: the session hands it what its worker sent,
 * and the caller's side reads its events.
 */
export class ReceivedStream implements IncomingStream {
  readonly taskId: string;
  readonly #deps: ReceivedStreamDeps;
  readonly #events: EventQueue<StreamEvent>;
  #workerId: string | undefined;
  #connection: OwnConnection | undefined;
  #fence = 0;
  #chunksReceived = 0;
  #bytesReceived = 0;
  #bytesAcknowledged = 0;
  /** Of the acknowledged bytes, those that the worker knows of. */
  #bytesReported = 0;
  #heartbeatsMissed = 0;
  #isComplete = false;
  #callerHasLeft = false;
  #hasEnded = false;

  constructor(taskId: string, deps: ReceivedStreamDeps) {
    this.taskId = taskId;
    this.#deps = deps;
    this.#events = new EventQueue(() => this.close());
  }

  /** Of a worker that comes through Redis. */
  get workerId(): string | undefined {
    return this.#connection === undefined ? this.#workerId : undefined;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  get fence(): number {
    return this.#fence;
  }

  get isClaimed(): boolean {
    return this.#workerId !== undefined;
  }

  /** What a heartbeat tells the worker about this stream. Undefined: that the caller has left. */
  acknowledgement(): Acknowledged | undefined {
    if (this.#callerHasLeft) return undefined;
    this.#bytesReported = this.#bytesAcknowledged;
    return [this.taskId, this.#fence, this.#bytesAcknowledged];
  }

  /** A worker asks who waits for the task. Undefined: the task is not this worker's. */
  answer({ workerId, fence }: ListenerQuestion): 'here' | 'left' | undefined {
    const isNewClaim = fence > this.#fence;
    if (!isNewClaim && workerId !== this.#workerId) return undefined;
    // Another worker would start the answer again from its beginning.
    if (isNewClaim && this.#bytesReceived > 0) return undefined;
    if (isNewClaim) this.#claimedBy(workerId, fence);
    return this.#callerHasLeft ? 'left' : 'here';
  }

  /** The worker of that claim has a connection of its own from now on. False: the claim is over. */
  attach(connection: OwnConnection, fence: number): boolean {
    if (this.#hasEnded || this.#workerId === undefined || fence !== this.#fence) return false;
    this.#connection = connection;
    if (this.#callerHasLeft) connection.reportGone('left');
    return true;
  }

  /** The worker of a connection that was there before its claim. False: a later one has the task, or the answer has begun. */
  claim(connection: OwnConnection, fence: number): boolean {
    if (!(fence > this.#fence) || this.#bytesReceived > 0) return false;
    this.#claimedBy(ON_ITS_CONNECTION, fence);
    return this.attach(connection, fence);
  }

  /** The connection is gone: before the last entry the worker is. */
  detach(connection: OwnConnection): void {
    if (this.#connection === connection) this.loseWorker();
  }

  #claimedBy(workerId: string, fence: number): void {
    this.#disconnect();
    this.#fence = fence;
    this.#workerId = workerId;
    this.#chunksReceived = 0;
    this.#heartbeatsMissed = 0;
    if (!this.#callerHasLeft) this.#events.push({ kind: 'claimed', fence });
  }

  receive({ workerId, entry, bytes }: Sent): void {
    if (entry.kind === 'heartbeat' || workerId !== this.workerId || entry.fence !== this.#fence) return;
    this.#heartbeatsMissed = 0;
    this.#receive(entry, bytes);
  }

  receiveFrom(connection: OwnConnection, entry: DirectEntry, bytes: Buffer): void {
    if (connection === this.#connection) this.#receive(entry, bytes);
  }

  #receive(entry: DirectEntry, bytes: Buffer): void {
    const fence = this.#fence;
    switch (entry.kind) {
      case 'chunk':
        this.#receiveChunk(entry.value, bytes);
        break;
      case 'eof':
        this.#receiveEof(entry.value);
        break;
      case 'settled':
        this.#endWith({ kind: 'settled', fence });
        this.#disconnect('release');
        break;
      case 'failed':
        this.#endWith({ kind: 'failed', fence, ...readFailure(entry.value) });
        this.#disconnect('release');
        break;
      case 'released':
        this.#forgetWorker();
        if (this.#callerHasLeft) this.#endWith({ kind: 'abandoned', fence });
        break;
      case 'lost':
        this.loseWorker();
        break;
      default:
        entry satisfies never;
    }
  }

  #receiveChunk(number: number, bytes: Buffer): void {
    const isNext = number === this.#chunksReceived && !this.#isComplete;
    this.#chunksReceived += 1;
    this.#bytesReceived += bytes.length;
    if (this.#callerHasLeft) return;
    // After a gap, or more bytes than the window allows, nothing from this worker can be trusted.
    if (!isNext || this.#bytesReceived - this.#bytesAcknowledged > WINDOW_BYTES) this.loseWorker();
    else this.#events.push({ kind: 'chunk', fence: this.#fence, bytes });
  }

  #receiveEof(bytesSent: number): void {
    this.#isComplete = true;
    if (this.#callerHasLeft) return;
    if (bytesSent !== this.#bytesReceived) this.loseWorker();
    else if (this.#bytesAcknowledged === this.#bytesReceived) this.#acknowledge();
  }

  /** The worker has listed the tasks that it works on. */
  receiveHeartbeat(isListed: boolean): void {
    this.#heartbeatsMissed = isListed ? 0 : this.#heartbeatsMissed + 1;
    // One list may have been made before the worker asked about this task and be read after.
    if (this.#heartbeatsMissed > 1) this.loseWorker();
  }

  /** The worker may be alive all the same: it learns that nobody listens, so that it does not settle the task. */
  loseWorker(): void {
    this.#endWith({ kind: 'worker_lost', fence: this.#fence });
    this.#reportGone('gone');
    this.#forgetWorker();
  }

  acknowledge(bytes: number): void {
    this.#bytesAcknowledged = Math.min(this.#bytesAcknowledged + bytes, this.#bytesReceived);
    const isLast = this.#isComplete && this.#bytesAcknowledged === this.#bytesReceived;
    const isDue = isLast || this.#bytesAcknowledged - this.#bytesReported >= ACKNOWLEDGE_BYTES;
    if (isDue) this.#acknowledge();
  }

  leave(): void {
    if (this.#callerHasLeft || this.#hasEnded) return;
    this.#callerHasLeft = true;
    this.#events.drop(({ kind }) => kind === 'chunk' || kind === 'claimed');
    if (this.#workerId === undefined) this.#endWith({ kind: 'abandoned', fence: this.#fence });
    else this.#reportGone('left');
  }

  close(): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#reportGone('gone');
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  #acknowledge(): void {
    this.#bytesReported = this.#bytesAcknowledged;
    if (this.#connection !== undefined) this.#connection.acknowledge(this.#bytesAcknowledged);
    else if (this.#workerId !== undefined) this.#deps.acknowledge(this.#workerId);
  }

  #reportGone(kind: Gone): void {
    if (this.#connection !== undefined) this.#connection.reportGone(kind);
    else if (this.#workerId !== undefined) this.#deps.reportGone(this.#workerId, kind);
  }

  #forgetWorker(): void {
    this.#workerId = undefined;
    this.#disconnect();
  }

  #disconnect(how: 'end' | 'release' = 'end'): void {
    this.#connection?.[how]();
    this.#connection = undefined;
  }

  #endWith(event: StreamEvent): void {
    if (this.#hasEnded) return;
    this.#events.push(event);
    this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#events.end();
    this.#deps.onEnd();
  }
}
