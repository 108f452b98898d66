import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { Slots } from '@mediagate/concurrency';
import { type Message, message } from '@mediagate/contracts';
import type { ByteSource } from '../sources/byte-source';
import { DocumentError, type DocumentFacts } from './document-facts';
import type { FromProcess, ReadRequest, Task, ToProcess } from './probe-process';
import type { ProbedMedia } from './probed-media';

export interface ProbeOptions {
  signal: AbortSignal;
  /** Also makes sure that the file is there to its last packet. */
  toTheEnd?: boolean;
}

export interface ProberOptions {
  /** On one file, the time that reads take left out; default 10 s, of which good files need a hundredth. */
  maxThinkingMs?: number;
}

/** Everything throws the signal's reason, and what the source throws, as it is. */
export interface Prober {
  /** What audio and video say of themselves. Throws ProbeError. */
  playable(source: ByteSource, options: ProbeOptions): Promise<ProbedMedia>;
  /** Throws DocumentError. */
  pdfPages(source: ByteSource, options: { signal: AbortSignal }): Promise<number>;
  /** A ZIP or compound file as the document it is; undefined: it is none. Throws DocumentError. */
  document(source: ByteSource, options: { signal: AbortSignal }): Promise<DocumentFacts | undefined>;
}

/** The file is not what it seems, or nobody can tell what it is. */
export class ProbeError extends Error {
  /** Perhaps only because the machine is busy. */
  readonly tookTooLong: boolean;
  /** What callers may be told of it. */
  readonly problem: Message | undefined;

  constructor(detail: string, { tookTooLong = false, problem }: { tookTooLong?: boolean; problem?: Message } = {}) {
    super(detail);
    this.name = 'ProbeError';
    this.tookTooLong = tookTooLong;
    this.problem = problem;
  }
}

/**
 * Some 50 MB each, waiting for bytes or thinking. More than a loader inspects files of the web at once, so that those do not
 * keep back one that is at hand.
 */
const MAX_PROCESSES = 24;
/** Each keeps a core busy. */
const MAX_THINKING = 6;
/** Kept for the next file: to start one takes some 80 ms of a core. */
const MAX_IDLE_PROCESSES = 2;
const MAX_THINKING_MS = 10_000;
const MAX_HEAP_MB = 128;
const MAX_READS = 100_000;
/** The index of an hour of video, or one image of 8000 x 8000. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** How a process ends that the parser broke. Any other end is none of the file's doing. */
const BROKEN: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'];

/** Of sources, which tests and tools run from, the program is compiled while it is loaded. */
const PROGRAM = path.join(__dirname, `probe-process${path.extname(__filename)}`);
const COMPILING = ['--require', path.join(__dirname, '../../../../scripts/register-typescript.cjs')];

/**
 * Takes audio, video and documents apart in processes of their own, which read through `source` alone: a file of some kilobytes can
 * send a parser round in circles, or have it fill its memory, which ends a process and every thread in it. So it costs that
 * process and ten seconds.
 */
export function createProber({ maxThinkingMs = MAX_THINKING_MS }: ProberOptions = {}): Prober {
  const processes = new Slots(MAX_PROCESSES);
  const thinkers = new Slots(MAX_THINKING);
  const idle = new Set<ChildProcess>();

  function takeProcess(): ChildProcess {
    const [kept] = idle;
    if (kept === undefined) return startProcess(idle);
    idle.delete(kept);
    if (!kept.connected) return takeProcess();
    kept.ref();
    kept.channel?.ref();
    return kept;
  }

  function keepProcess(child: ChildProcess): void {
    if (idle.size >= MAX_IDLE_PROCESSES) {
      child.kill('SIGKILL');
      return;
    }
    idle.add(child);
    // It does not keep this one from ending, and ends with it.
    child.unref();
    child.channel?.unref();
  }

  async function find(source: ByteSource, task: Task, signal: AbortSignal): Promise<unknown> {
    const release = await processes.take(signal);
    const child = takeProcess();
    try {
      const facts = await converse(child, source, { task, signal, maxThinkingMs, thinkers });
      keepProcess(child);
      return facts;
    } catch (error) {
      // Nobody knows what it is left with.
      child.kill('SIGKILL');
      throw error;
    } finally {
      release();
    }
  }

  // What a process answers to a task is what its program finds for one of that kind.
  return {
    playable: async (source, { signal, toTheEnd = false }) =>
      (await find(source, { kind: 'playable', totalBytes: source.totalBytes, toTheEnd }, signal)) as ProbedMedia,
    pdfPages: async (source, { signal }) =>
      (await find(source, { kind: 'pdf', totalBytes: source.totalBytes }, signal).catch(refuseDocument)) as number,
    document: async (source, { signal }) =>
      (await find(source, { kind: 'document', totalBytes: source.totalBytes }, signal).catch(refuseDocument)) as
        | DocumentFacts
        | undefined,
  };
}

function refuseDocument(error: unknown): never {
  if (!(error instanceof ProbeError)) throw error;
  throw new DocumentError(error.problem ?? message('document_unreadable'), { cause: error });
}

function startProcess(idle: Set<ChildProcess>): ChildProcess {
  const child = fork(PROGRAM, {
    // Nothing of our own environment is a stranger's business.
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`, ...(PROGRAM.endsWith('.ts') ? COMPILING : [])],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // What goes wrong while a file is read is told to that file's reader; this is for the time after.
  child.on('error', () => {});
  child.once('exit', () => idle.delete(child));
  return child;
}

interface Conversation {
  task: Task;
  signal: AbortSignal;
  maxThinkingMs: number;
  thinkers: Slots;
}

/**
 * Has one file read by a process that has nothing else to do. While it waits for bytes, which may be a slow server's, another
 * process may think.
 */
function converse(
  child: ChildProcess,
  source: ByteSource,
  { task, signal, maxThinkingMs, thinkers }: Conversation,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const reads = { all: 0, underWay: 0 };
    const thinking = createStopwatch(maxThinkingMs, () => fail(tooLong()));
    const unsent: ToProcess[] = [];
    let giveBack: (() => void) | undefined;
    let over = false;

    /** What was brought is handed over once nothing more is under way and it is this process's turn to think. */
    async function think(): Promise<void> {
      if (reads.underWay > 0) return;
      const release = await thinkers.take(signal);
      if (over || reads.underWay > 0 || unsent.length === 0) return release();
      giveBack = release;
      for (const sent of unsent.splice(0)) child.send(sent);
      thinking.start();
    }

    function rest(): void {
      thinking.stop();
      giveBack?.();
      giveBack = undefined;
    }

    function onMessage(sent: FromProcess): void {
      if ('read' in sent) answer(sent.read).catch(fail);
      else if ('failure' in sent) fail(new ProbeError(sent.failure, sent.problem && { problem: sent.problem }));
      else {
        finish();
        resolve(sent.facts);
      }
    }

    async function answer({ id, start, end }: ReadRequest): Promise<void> {
      rest();
      reads.all += 1;
      reads.underWay += 1;
      if (reads.all > MAX_READS) throw new ProbeError('the file has too many parts');
      if (end - start > MAX_READ_BYTES) throw new ProbeError('a part of the file is too large');
      const bytes = await source.read(start, end);
      if (bytes.length < end - start) throw new ProbeError('the file is shorter than announced');
      reads.underWay -= 1;
      unsent.push({ answer: { id, bytes } });
      await think();
    }

    function fail(reason: unknown): void {
      finish();
      reject(reason);
    }

    const onAbort = () => fail(signal.reason);
    const onExit = (code: number | null, end: NodeJS.Signals | null) => fail(endedEarly(code, end));

    function finish(): void {
      over = true;
      rest();
      child.off('message', onMessage).off('error', fail).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    }

    child.on('message', onMessage).on('error', fail).on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else {
      unsent.push({ task });
      think().catch(fail);
    }
  });
}

function tooLong(): ProbeError {
  return new ProbeError('reading the file takes too long', { tookTooLong: true });
}

function endedEarly(code: number | null, signal: NodeJS.Signals | null): Error {
  if (BROKEN.includes(signal)) return new ProbeError('reading the file takes too much memory');
  return new Error(`the process that reads files ended early, with ${signal ?? `code ${code}`}`);
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
