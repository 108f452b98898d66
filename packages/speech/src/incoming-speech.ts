import type { IncomingMessage, ServerResponse } from 'node:http';
import { END_TRAILER, LEFT, PORT_HEADER, REPEAT_AFTER_MS, WINDOW_BYTES, WORKER_ENDS, type WorkerEnd } from './wire';

/** Taken bytes that are reported to the worker at once, and not only when the caller's socket has taken all that came. */
const REPORT_BYTES = WINDOW_BYTES / 2;

/** Passes audio on to the caller. `onTaken` is called once the caller's socket has taken the bytes, and never if it broke before. */
export type TakeAudio = (bytes: Buffer, onTaken: () => void) => void;

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** The request in which one worker brings the speech, from its admission to its end. */
export class IncomingSpeech {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #receivedBytes = 0;
  #takenBytes = 0;
  #reportedBytes = 0;
  #hasLeft = false;
  #isOver = false;

  /** @param onEnd called once; `broken`: the worker is gone, or does not know how the task ended. */
  constructor({ request, response }: Exchange, onEnd: (end: WorkerEnd | 'broken') => void) {
    this.#request = request;
    this.#response = response;
    const repeat = setInterval(() => this.#report(), REPEAT_AFTER_MS).unref();
    const end = (how: WorkerEnd | 'broken') => {
      if (this.#isOver) return;
      this.#isOver = true;
      clearInterval(repeat);
      if (how === 'broken') response.destroy();
      else response.end();
      onEnd(how);
    };
    request
      .on('error', () => undefined)
      .on('end', () => end(endIn(request.trailers)))
      .on('close', () => end('broken'));
    response.on('error', () => undefined).on('close', () => end('broken'));
    response.writeHead(200, { 'Content-Type': 'text/plain', [PORT_HEADER]: '1' }).flushHeaders();
  }

  passTo(take: TakeAudio): void {
    if (this.#hasLeft) return;
    this.#request.on('data', (bytes: Buffer) => {
      this.#receivedBytes += bytes.length;
      if (this.#hasLeft) return;
      take(bytes, () => this.#taken(bytes.length));
    });
  }

  /** The caller hung up: notifies the worker, and drops what still comes. */
  leave(): void {
    if (this.#hasLeft || this.#isOver) return;
    this.#hasLeft = true;
    this.#response.write(`${LEFT}\n`);
    this.#request.resume();
  }

  /** Breaks the connection. */
  cut(): void {
    this.#response.destroy();
  }

  #taken(bytes: number): void {
    this.#takenBytes += bytes;
    const isDue = this.#takenBytes - this.#reportedBytes >= REPORT_BYTES;
    if (isDue || this.#takenBytes === this.#receivedBytes) this.#report();
  }

  #report(): void {
    if (this.#hasLeft || this.#isOver) return;
    this.#reportedBytes = this.#takenBytes;
    this.#response.write(`${this.#takenBytes}\n`);
  }
}

function endIn(trailers: NodeJS.Dict<string>): WorkerEnd | 'broken' {
  return WORKER_ENDS.find((end) => end === trailers[END_TRAILER]) ?? 'broken';
}
