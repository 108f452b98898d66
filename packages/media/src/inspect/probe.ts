import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { Slots } from '@mediagate/concurrency';
import { message, type Owner } from '@mediagate/contracts';
import type { ByteSource } from '../sources/byte-source';
import { converse } from './conversation';
import { DocumentError, type DocumentFacts } from './document-facts';
import { IdleProcesses } from './idle-processes';
import { ProbeError } from './probe-error';
import type { Task } from './probe-process';
import type { ProbedMedia } from './probed-media';

export interface ProbeOptions {
  /** Whose file it is. */
  owner: Owner;
  signal: AbortSignal;
  /** Also makes sure that the file is there to its last packet. */
  toTheEnd?: boolean;
}

export interface ProberOptions {
  /** On one file, the time that reads take left out; default 10 s, of which good files need a hundredth. */
  maxThinkingMs?: number;
  /** How long a process is kept for the next file. */
  maxIdleMs?: number;
}

/** Everything throws the signal's reason, and what the source throws, as it is. */
export interface Prober {
  /** What audio and video say of themselves. Throws ProbeError. */
  playable(source: ByteSource, options: ProbeOptions): Promise<ProbedMedia>;
  /** Throws DocumentError. */
  pdfPages(source: ByteSource, options: ProbeOptions): Promise<number>;
  /** A ZIP or compound file as the document it is; undefined: it is none. Throws DocumentError. */
  document(source: ByteSource, options: ProbeOptions): Promise<DocumentFacts | undefined>;
}

/**
 * Some 50 MB each, waiting for bytes or thinking. More than a loader inspects files of the web at once, so that those do not
 * keep back one that is at hand.
 */
const MAX_PROCESSES = 24;
/** Each keeps a core busy. */
const MAX_THINKING = 6;
const MAX_IDLE_MS = 30_000;
const MAX_THINKING_MS = 10_000;
const MAX_HEAP_MB = 128;
/** Of sources, which tests and tools run from, the program is compiled while it is loaded. */
const PROGRAM = path.join(__dirname, `probe-process${path.extname(__filename)}`);
const COMPILING = [
  '--conditions=source',
  '--require',
  path.join(__dirname, '../../../../scripts/register-typescript.cjs'),
];

/**
 * Takes audio, video and documents apart in processes of their own, which read through `source` alone: a file of some kilobytes can
 * send a parser round in circles, or have it fill its memory, which ends a process and every thread in it. So it costs that
 * process and ten seconds.
 */
export function createProber({ maxThinkingMs = MAX_THINKING_MS, maxIdleMs = MAX_IDLE_MS }: ProberOptions = {}): Prober {
  const processes = new Slots({ capacity: MAX_PROCESSES });
  const thinkers = new Slots({ capacity: MAX_THINKING });
  const idle = new IdleProcesses(maxIdleMs);

  async function find(source: ByteSource, task: Task, { owner, signal }: ProbeOptions): Promise<unknown> {
    const { release } = await processes.take({ owner }, signal);
    const child = idle.take() ?? startProcess(idle);
    try {
      const facts = await converse(child, source, { task, owner, signal, maxThinkingMs, thinkers });
      idle.keep(child);
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
    playable: async (source, { toTheEnd = false, ...options }) =>
      (await find(source, { kind: 'playable', totalBytes: source.totalBytes, toTheEnd }, options)) as ProbedMedia,
    pdfPages: async (source, options) =>
      (await find(source, { kind: 'pdf', totalBytes: source.totalBytes }, options).catch(refuseDocument)) as number,
    document: async (source, options) =>
      (await find(source, { kind: 'document', totalBytes: source.totalBytes }, options).catch(refuseDocument)) as
        | DocumentFacts
        | undefined,
  };
}

function refuseDocument(error: unknown): never {
  if (!(error instanceof ProbeError)) throw error;
  throw new DocumentError(error.problem ?? message('document_unreadable'), { cause: error });
}

function startProcess(idle: IdleProcesses): ChildProcess {
  const child = fork(PROGRAM, {
    // Nothing of our own environment is a stranger's business.
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`, ...(PROGRAM.endsWith('.ts') ? COMPILING : [])],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A fault while a file is read reaches that file's reader; this listener is for idle processes.
  child.on('error', () => {});
  child.once('exit', () => idle.forget(child));
  return child;
}
