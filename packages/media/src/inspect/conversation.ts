import type { ChildProcess } from 'node:child_process';
import type { Slots } from '@mediagate/concurrency';
import type { Owner } from '@mediagate/contracts';
import type { ByteSource } from '../sources/byte-source';
import { ProbeError } from './probe-error';
import type { FromProcess, ReadRequest, ToProcess } from './probe-process';
import type { Task } from './take-apart';

export interface ConversationOptions {
  task: Task;
  owner: Owner;
  signal: AbortSignal;
  /** The time that the process may take on the file, reads left out. */
  maxThinkingMs: number;
  /** One for each process that keeps a core busy. */
  thinkers: Slots;
}

/** A process's findings, or the fault of the file, and the CPU time that the process has used since it began. */
export type Found = ({ facts: unknown } | { fault: ProbeError }) & { cpuMs: number };

interface Ends {
  resolve(found: Found): void;
  reject(reason: unknown): void;
}

const MAX_READS = 100_000;
/** The index of two hours of video. A process takes up to twelve bytes of memory for each byte of it. */
export const MAX_READ_BYTES = 4 * 1024 * 1024;
/** Signals that end a process when the parser breaks it. The file is not to blame for any other end. */
const BROKEN: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'];

/**
 * Has one idle process read one file, and resolves with its findings: then the process is ready for the next file. Rejects with
 * ProbeError, or the signal's reason: then nobody knows the state of the process.
 */
export function converse(child: ChildProcess, source: ByteSource, options: ConversationOptions): Promise<Found> {
  return new Promise((resolve, reject) => {
    new Conversation(child, source, { ...options, resolve, reject }).start();
  });
}

/** While a process waits for bytes, which a slow server may send, its slot to think is another process's. */
class Conversation {
  readonly #child: ChildProcess;
  readonly #source: ByteSource;
  readonly #options: ConversationOptions & Ends;
  readonly #thinking: Stopwatch;
  readonly #unsent: ToProcess[] = [];
  #reads = 0;
  #readsUnderWay = 0;
  #releaseSlot: (() => void) | undefined;
  #isOver = false;

  constructor(child: ChildProcess, source: ByteSource, options: ConversationOptions & Ends) {
    this.#child = child;
    this.#source = source;
    this.#options = options;
    this.#thinking = createStopwatch(options.maxThinkingMs, () => this.#fail(tooLong()));
  }

  start(): void {
    const { signal, task } = this.#options;
    this.#child.on('message', this.#onMessage).on('error', this.#fail).on('exit', this.#onExit);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
    else {
      this.#unsent.push({ task });
      this.#think().catch(this.#fail);
    }
  }

  /** Sends what was read once no read is under way and the process has a slot to think. */
  async #think(): Promise<void> {
    if (this.#readsUnderWay > 0) return;
    const { thinkers, owner, signal } = this.#options;
    const { release } = await thinkers.take({ owner }, signal);
    if (this.#isOver || this.#readsUnderWay > 0 || this.#unsent.length === 0) {
      release();
      return;
    }
    this.#releaseSlot = release;
    for (const sent of this.#unsent.splice(0)) this.#child.send(sent);
    this.#thinking.start();
  }

  #rest(): void {
    this.#thinking.stop();
    this.#releaseSlot?.();
    this.#releaseSlot = undefined;
  }

  async #answer({ id, start, end }: ReadRequest): Promise<void> {
    this.#rest();
    this.#reads += 1;
    this.#readsUnderWay += 1;
    if (this.#reads > MAX_READS) throw new ProbeError('the file has too many parts');
    if (end - start > MAX_READ_BYTES) throw new ProbeError('a part of the file is too large');
    const bytes = await this.#source.read(start, end);
    if (bytes.length < end - start) throw new ProbeError('the file is shorter than announced');
    this.#readsUnderWay -= 1;
    this.#unsent.push({ answer: { id, bytes } });
    await this.#think();
  }

  // Fields, not methods: the process and the signal keep them as listeners.
  readonly #onMessage = (sent: FromProcess): void => {
    if ('read' in sent) {
      this.#answer(sent.read).catch(this.#fail);
      return;
    }
    this.#finish();
    const { cpuMs } = sent;
    if ('facts' in sent) this.#options.resolve({ facts: sent.facts, cpuMs });
    else this.#options.resolve({ fault: new ProbeError(sent.failure, { problem: sent.problem }), cpuMs });
  };

  readonly #fail = (reason: unknown): void => {
    this.#finish();
    this.#options.reject(reason);
  };

  readonly #onAbort = (): void => this.#fail(this.#options.signal.reason);

  readonly #onExit = (code: number | null, end: NodeJS.Signals | null): void => this.#fail(endedEarly(code, end));

  #finish(): void {
    this.#isOver = true;
    this.#rest();
    this.#child.off('message', this.#onMessage).off('error', this.#fail).off('exit', this.#onExit);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }
}

function tooLong(): ProbeError {
  return new ProbeError('reading the file takes too long', { tookTooLong: true });
}

function endedEarly(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGXCPU') return new ProbeError('reading the file takes too much CPU');
  if (BROKEN.includes(signal)) return new ProbeError('reading the file takes too much memory');
  return new Error(`the process that reads files ended early, with ${signal ?? `code ${code}`}`);
}

/** Calls `expire` once it has run for `limitMs` in all. */
function createStopwatch(limitMs: number, expire: () => void): Stopwatch {
  let leftMs = limitMs;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs -= performance.now() - startedAt;
  }

  function start(): void {
    stop();
    startedAt = performance.now();
    timer = setTimeout(expire, Math.max(0, leftMs));
  }

  return { start, stop };
}

export interface Stopwatch {
  start(): void;
  stop(): void;
}
