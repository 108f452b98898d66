import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { createSlots } from '@mediagate/egress';
import type { ByteSource } from '../sources/byte-source';

/** What a container of audio or video says of itself. Neither video nor audio: it holds nothing that can be played. */
export interface ProbedMedia {
  seconds: number;
  /** Pixels as shown: turned, and stretched to square ones. */
  video?: { width: number; height: number };
  audio?: object;
}

export interface ProbeOptions {
  signal: AbortSignal;
  /** Also makes sure that the file is there to its last packet. */
  toTheEnd?: boolean;
}

/** Throws ProbeError; the signal's reason; what the source throws, as it is. */
export type Prober = (source: ByteSource, options: ProbeOptions) => Promise<ProbedMedia>;

/** The file is not what it seems, or nobody can tell what it is. */
export class ProbeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProbeError';
  }
}

const MAX_THREADS = 8;
/** Threads that are kept for the next file: starting one takes some 35 ms of a core. */
const MAX_IDLE_THREADS = 2;
/** On one file, the time that reads take left out; good files need a hundredth of it. */
const MAX_THINKING_MS = 5_000;
const MAX_HEAP_MB = 128;
const MAX_READS = 100_000;

type ReadRequest = { id: number; start: number; end: number };
type FromThread = { read: ReadRequest } | { facts: ProbedMedia } | { failure: string };

/**
 * Takes audio and video apart on threads of their own, which read through `source` alone: a hostile file that sends the
 * parser round in circles, or has it fill its heap, costs a thread and five seconds, and never stops the process.
 */
export function createProber(): Prober {
  const slots = createSlots(MAX_THREADS);
  const idle = new Set<Worker>();

  function takeThread(): Worker {
    const [kept] = idle;
    if (kept === undefined) return startThread(idle);
    idle.delete(kept);
    kept.ref();
    return kept;
  }

  function keepThread(thread: Worker): void {
    if (idle.size >= MAX_IDLE_THREADS) void thread.terminate();
    else idle.add(thread);
    // It does not keep the process from ending.
    thread.unref();
  }

  return async (source, { signal, toTheEnd = false }) => {
    const release = await slots.take(signal);
    const thread = takeThread();
    try {
      const facts = await converse(thread, source, { signal, toTheEnd });
      keepThread(thread);
      return facts;
    } catch (error) {
      // Nobody knows what it is left with. One that runs in a loop ends as well, so its end is not waited for.
      void thread.terminate();
      throw error;
    } finally {
      release();
    }
  };
}

function startThread(idle: Set<Worker>): Worker {
  const file = path.join(__dirname, 'probe-thread.js');
  const thread = new Worker(file, { env: {}, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  // What goes wrong while a file is read is told to that file's reader; this is for the time after.
  thread.on('error', () => {});
  thread.once('exit', () => idle.delete(thread));
  return thread;
}

/** Has one file read by a thread that has nothing else to do. */
function converse(
  thread: Worker,
  source: ByteSource,
  { signal, toTheEnd }: Required<ProbeOptions>,
): Promise<ProbedMedia> {
  return new Promise((resolve, reject) => {
    const reads = { all: 0, underWay: 0 };
    const thinking = createStopwatch(MAX_THINKING_MS, () => fail(new ProbeError('reading the file takes too long')));
    let over = false;

    function post(message: object): void {
      thread.postMessage(message);
      // While it waits for another read it does not think.
      if (reads.underWay === 0) thinking.start();
    }

    function onMessage(message: FromThread): void {
      if ('read' in message) answer(message.read).catch(fail);
      else if ('failure' in message) fail(new ProbeError(message.failure));
      else {
        finish();
        resolve(message.facts);
      }
    }

    async function answer({ id, start, end }: ReadRequest): Promise<void> {
      thinking.stop();
      reads.all += 1;
      reads.underWay += 1;
      if (reads.all > MAX_READS) throw new ProbeError('the file has too many parts');
      const bytes = await source.read(start, end);
      if (bytes.length < end - start) throw new ProbeError('the file is shorter than announced');
      reads.underWay -= 1;
      if (!over) post({ answer: { id, bytes } });
    }

    function fail(reason: unknown): void {
      finish();
      reject(reason);
    }

    const onAbort = () => fail(signal.reason);
    const onError = (error: Error) => fail(new ProbeError(error.message));
    const onExit = () => fail(new ProbeError('reading the file takes too much memory'));

    function finish(): void {
      over = true;
      thinking.stop();
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    }

    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else post({ task: { totalBytes: source.totalBytes, toTheEnd } });
  });
}

/** Calls `expire` once it has run for `limitMs` in all. */
function createStopwatch(limitMs: number, expire: () => void): { start(): void; stop(): void } {
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
