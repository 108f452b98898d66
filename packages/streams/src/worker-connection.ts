import { MAX_MESSAGE_BYTES } from './frames';
import type { Peer, PeerHandler } from './peers';
import type { OwnConnection, ReceivedStream } from './received-stream';
import { type DirectEntry, EMPTY, type Gone } from './wire';

export interface Admitted {
  stream: ReceivedStream;
  /** Of the claim that it was asked for; absent: the worker says which, once it has claimed the task. */
  fence?: number;
}

/** A worker's own connection to the process whose caller waits: first its ticket, then the entries of that one task. */
export class WorkerConnection implements PeerHandler, OwnConnection {
  peer: Peer | undefined;
  readonly #admit: (ticket: Record<string, unknown>) => Admitted;
  #stream: ReceivedStream | undefined;
  #fence: number | undefined;
  #chunks = 0;
  #isAttached = false;
  #isOver = false;

  /** @param admit finds the stream of a ticket; throws for anything else. */
  constructor(admit: (ticket: Record<string, unknown>) => Admitted) {
    this.#admit = admit;
  }

  receiveMessage(message: Record<string, unknown>): void {
    const { kind } = message;
    if (this.#stream === undefined) this.#welcome(message);
    else if (kind === 'begin') this.#begin(this.#stream, message);
    else if (kind !== 'heartbeat') this.#receive(message as unknown as DirectEntry);
  }

  receiveAudio(bytes: Buffer): void {
    this.#receive({ kind: 'chunk', value: this.#chunks }, bytes);
    this.#chunks += 1;
  }

  closed(): void {
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

  /** Nobody waits any more for a worker that has not begun. */
  endUnclaimed(): void {
    if (this.#isAttached) return;
    this.#isOver = true;
    this.end();
  }

  #welcome(ticket: Record<string, unknown>): void {
    const { stream, fence } = this.#admit(ticket);
    this.#stream = stream;
    this.#fence = fence;
    this.peer?.limitMessages(MAX_MESSAGE_BYTES);
    this.peer?.send({ kind: 'welcome' });
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
}
