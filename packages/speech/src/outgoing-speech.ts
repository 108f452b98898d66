import { Agent, type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import type { ListenerAddress } from '@mediagate/contracts';
import {
  END_TRAILER,
  FENCE_HEADER,
  LEFT,
  PORT_HEADER,
  PROBE_AFTER_MS,
  SILENT_MS,
  WINDOW_BYTES,
  type WorkerEnd,
} from './wire';

/** The longest time from the first packet to the answer of the API process, which is busy at worst. */
const ADMITTED_WITHIN_MS = 5000;
/** The time that the API process has to close a connection whose speech has ended. */
const CLOSE_MS = 5000;
const LINE_MAX_CHARACTERS = 32;
/** The port refuses a worker: its claim is used up, or the caller has left. */
const NOBODY_WAITS: ReadonlySet<number> = new Set([409, 410]);
/** Each speech opens its own connection while the intent is written: a kept one may be closing, which looks like a caller who left. */
const AGENT = new Agent({ keepAlive: false });

/** A worker's hold on a task. */
export interface SpeechClaim {
  fence: number;
  /** The lease's signal: it ends every wait. */
  signal: AbortSignal;
  /** The longest wait for a line of the API; default `SILENT_MS`. */
  silentMs?: number;
}

interface Exchange {
  request: ClientRequest;
  response: IncomingMessage;
}

/** Why nobody receives a speech any more. */
export type SpeechGone = 'caller_left' | 'api_gone';

export class SpeechEndedError extends Error {
  readonly end: SpeechGone;

  constructor(end: SpeechGone) {
    super(end === 'caller_left' ? 'the caller left' : 'the API process of the caller is gone');
    this.end = end;
  }
}

/**
 * Connects to the process whose caller waits. Never rejects. Undefined: nobody waits there any more, the process is not reached, or the claim's
 * signal has aborted.
 *
 * @param onNotReached called with what is wrong where the process is not reached, or something else answers.
 */
export async function openSpeech(
  { url, token }: ListenerAddress,
  claim: SpeechClaim,
  onNotReached: (error: Error) => void,
): Promise<OutgoingSpeech | undefined> {
  try {
    const headers = { Authorization: `Bearer ${token}`, [FENCE_HEADER]: claim.fence, Trailer: END_TRAILER };
    const request = openRequest(url, { method: 'POST', agent: AGENT, headers });
    const response = await answerTo(request, claim.signal);
    const { statusCode = 0 } = response;
    if (statusCode === 200 && response.headers[PORT_HEADER] === '1')
      return new OutgoingSpeech({ request, response }, claim);
    request.destroy();
    if (!NOBODY_WAITS.has(statusCode)) onNotReached(new Error(`answered ${statusCode}`));
  } catch (error) {
    if (!claim.signal.aborted) onNotReached(error as Error);
  }
  return undefined;
}

/** Rejects if the signal aborts before the answer. */
function answerTo(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => request.destroy(new Error('no answer in time')), ADMITTED_WITHIN_MS);
    const stop = () => request.destroy(new Error('the step has ended'));
    const settle = () => {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
    };
    // Errors after the answer are the closing of the connection.
    request.on('error', (error) => {
      settle();
      reject(error);
    });
    request.once('response', (response) => {
      settle();
      resolve(response);
    });
    request.setSocketKeepAlive(true, PROBE_AFTER_MS);
    request.flushHeaders();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** The speech of one task as its worker brings it, under one fence. */
export class OutgoingSpeech {
  readonly #request: ClientRequest;
  readonly #lease: AbortSignal;
  readonly #silentMs: number;
  readonly #controller = new AbortController();
  readonly #resume = () => this.#resumeSender?.();
  #unreadText = '';
  #sentBytes = 0;
  #takenBytes = 0;
  #ended: SpeechGone | undefined;
  #isOver = false;
  #resumeSender: (() => void) | undefined;
  #silence: NodeJS.Timeout | undefined;

  constructor({ request, response }: Exchange, { signal, silentMs = SILENT_MS }: SpeechClaim) {
    this.#request = request;
    this.#lease = signal;
    this.#silentMs = silentMs;
    signal.addEventListener('abort', this.#resume, { once: true });
    request.on('close', () => this.#lose('api_gone'));
    response
      .setEncoding('latin1')
      .on('data', (text: string) => this.#read(text))
      .on('error', () => undefined)
      .on('close', () => this.#lose('api_gone'));
  }

  /** Aborts as soon as nobody receives any more; `ended` says why. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ended(): SpeechGone | undefined {
    return this.#ended;
  }

  /**
   * Resolves once more may be sent; undefined: it may. Rejects with a SpeechEndedError, or the reason of the lease's signal.
   */
  send(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#ended !== undefined || this.#lease.aborted) return this.#until(() => true);
    // A chunk of no bytes would be the end of the body.
    if (chunk.length === 0) return undefined;
    this.#sentBytes += chunk.length;
    this.#request.write(chunk);
    const isInWindow = () => this.#sentBytes - this.#takenBytes < WINDOW_BYTES;
    return isInWindow() ? undefined : this.#until(isInWindow);
  }

  /** Resolves when the caller's socket has taken every byte. Rejects as `send` does. */
  finish(): Promise<void> {
    return this.#until(() => this.#takenBytes === this.#sentBytes);
  }

  /** Call it once the end is in the task's row. Best effort: a process that does not receive it reads the row. */
  end(how: WorkerEnd): void {
    if (!this.#close()) return;
    this.#request.addTrailers({ [END_TRAILER]: how });
    this.#request.end();
    this.#request.setTimeout(CLOSE_MS, () => this.#request.destroy());
  }

  /** This worker does not know how the task ends. Does nothing after `end`. */
  breakOff(): void {
    if (this.#close()) this.#request.destroy();
  }

  /** False: it was closed before. */
  #close(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#lease.removeEventListener('abort', this.#resume);
    return true;
  }

  #read(text: string): void {
    const lines = `${this.#unreadText}${text}`.split('\n');
    this.#unreadText = (lines.pop() ?? '').slice(0, LINE_MAX_CHARACTERS);
    for (const line of lines) {
      if (line === LEFT) this.#lose('caller_left');
      else this.#readTaken(line);
    }
    if (lines.length > 0) this.#silence?.refresh();
    this.#resume();
  }

  #readTaken(line: string): void {
    const takenBytes = /^\d+$/.test(line) ? Number(line) : Number.NaN;
    // An API process says no such thing: another server answers.
    if (!Number.isSafeInteger(takenBytes) || takenBytes < this.#takenBytes) this.#lose('api_gone');
    else this.#takenBytes = takenBytes;
  }

  #lose(end: SpeechGone): void {
    if (this.#ended !== undefined || this.#isOver) return;
    this.#ended = end;
    this.#controller.abort(new SpeechEndedError(end));
    this.#resume();
  }

  /** Only one call waits at a time: a worker sends its chunks in their order. */
  async #until(holds: () => boolean): Promise<void> {
    this.#silence = setTimeout(() => this.#lose('api_gone'), this.#silentMs);
    while (this.#ended === undefined && !this.#lease.aborted && !holds()) {
      await new Promise<void>((resolve) => {
        this.#resumeSender = resolve;
      });
    }
    clearTimeout(this.#silence);
    this.#silence = undefined;
    if (this.#ended !== undefined) throw new SpeechEndedError(this.#ended);
    this.#lease.throwIfAborted();
  }
}
