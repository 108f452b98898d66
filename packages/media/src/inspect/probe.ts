import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { Slots } from '@mediagate/concurrency';
import { message, type Owner } from '@mediagate/contracts';
import { confine, type RunLimits } from '../ffmpeg/confine';
import type { ByteSource } from '../sources/byte-source';
import { type ConversationOptions, converse, type Found } from './conversation';
import { DocumentError, type DocumentFacts } from './document-facts';
import { IdleProcesses } from './idle-processes';
import { ProbeError } from './probe-error';
import type { ProbedMedia, Task } from './take-apart';

export interface ProbeOptions {
  /** The file's owner. */
  owner: Owner;
  signal: AbortSignal;
  /** Also makes sure that the file is there to its last packet. */
  toTheEnd?: boolean;
}

export interface ProberOptions {
  /** The time that one file may take, reads left out; default 30 s, since a busy machine leaves little to processes of low priority: what goes in circles ends by its CPU. */
  maxThinkingMs?: number;
  /** How long a process is kept for the next file. */
  maxIdleMs?: number;
}

/** All methods throw the signal's reason, and the source's errors, as they are. */
export interface Prober {
  /** Reads the facts that audio and video state about themselves. Throws ProbeError. */
  playable(source: ByteSource, options: ProbeOptions): Promise<ProbedMedia>;
  /** Throws DocumentError. */
  pdfPages(source: ByteSource, options: ProbeOptions): Promise<number>;
  /** A ZIP or compound file as the document it is; undefined: it is none. Throws DocumentError. */
  document(source: ByteSource, options: ProbeOptions): Promise<DocumentFacts | undefined>;
}

/**
 * All processes of a prober, each with the memory that its container must have for it: 70 MiB were measured for an index of the largest
 * size that is read, 22 MB of them the process's own; a full heap (48 MB) ends it. `tools/deployment` compares the product with the
 * limits of the chart and of Compose.
 */
export const PROBE_POOL = { processes: 6, processBytes: 96 * 1024 * 1024 } as const;
/** Each thinking process keeps a core busy, as far as the services leave it one. */
const MAX_THINKING = 2;
const MAX_IDLE_MS = 30_000;
const MAX_THINKING_MS = 30_000;
const MAX_HEAP_MB = 48;
/** The space for new objects, which would otherwise grow to 64 MB beside the heap. */
const MAX_YOUNG_MB = 2;
/** Tests and tools run from sources, where the program is compiled while it is loaded. */
const IS_COMPILED_FIRST = __filename.endsWith('.ts');
const PROGRAM = path.join(__dirname, IS_COMPILED_FIRST ? 'probe-process.ts' : '../../dist/probe-process.js');
const COMPILING = ['--require', path.join(__dirname, '../../../../scripts/register-typescript.cjs')];

/** Small files need some hundredths of a second, an MP3 of 100 MB some three. */
const CPU_SECONDS = IS_COMPILED_FIRST ? 16 : 8;
/** A process that has used more of its CPU than this takes no further file. Its successor starts at once, so that the next file does not wait for it. */
const KEPT_CPU_MS = 250 * CPU_SECONDS;
const LIMITS: RunLimits = {
  cpuSignalSeconds: CPU_SECONDS,
  cpuSeconds: CPU_SECONDS + 1,
  // The limit is of address space: Node.js reserves 1.1 GB before it has read a byte, and 2.2 GB where it compiles.
  memoryBytes: (IS_COMPILED_FIRST ? 4096 : 1344) * 1024 * 1024,
  // The process writes no files but its compiled code.
  fileBytes: IS_COMPILED_FIRST ? 16 * 1024 * 1024 : 0,
};
/** The processes get nothing of our own environment. Each further arena of glibc would reserve 64 MB. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2' };

/**
 * Takes audio, video and documents apart in processes of their own, which read through `source` alone: a file of some kilobytes can
 * send a parser round in circles, or have it fill its memory, which ends a process and every thread in it. Such a file costs one
 * process, and eight seconds of CPU that nobody else wanted. Each of our own processes makes one prober, so that there is one pool.
 */
export function createProber({ maxThinkingMs = MAX_THINKING_MS, maxIdleMs = MAX_IDLE_MS }: ProberOptions = {}): Prober {
  const processes = new Slots({ capacity: PROBE_POOL.processes });
  const thinkers = new Slots({ capacity: MAX_THINKING });
  const idle = new IdleProcesses(maxIdleMs);

  async function find(source: ByteSource, task: Task, { owner, signal }: ProbeOptions): Promise<unknown> {
    const { release } = await processes.take({ owner }, signal);
    try {
      const keeper = `${owner.accountId} ${owner.isTest === true}`;
      const child = idle.take(keeper, processes.held + idle.count > PROBE_POOL.processes) ?? startProcess(idle);
      const found = await ask(child, source, { task, owner, signal, maxThinkingMs, thinkers });
      const isSpent = found.cpuMs >= KEPT_CPU_MS;
      if (isSpent) child.kill('SIGKILL');
      idle.keep(isSpent ? startProcess(idle) : child, keeper);
      if ('fault' in found) throw found.fault;
      return found.facts;
    } finally {
      release();
    }
  }

  // Each kind of task has its own type of findings, so the casts hold.
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

async function ask(child: ChildProcess, source: ByteSource, options: ConversationOptions): Promise<Found> {
  try {
    return await converse(child, source, options);
  } catch (error) {
    // Nobody knows the state of the process.
    child.kill('SIGKILL');
    throw error;
  }
}

function refuseDocument(error: unknown): never {
  if (!(error instanceof ProbeError)) throw error;
  throw new DocumentError(error.problem ?? message('document_unreadable'), { cause: error });
}

function startProcess(idle: IdleProcesses): ChildProcess {
  const heap = [`--max-old-space-size=${MAX_HEAP_MB}`, `--max-semi-space-size=${MAX_YOUNG_MB}`, '--v8-pool-size=1'];
  const node = [process.execPath, ...heap, ...(IS_COMPILED_FIRST ? COMPILING : []), PROGRAM];
  const [command = '', ...args] = confine(node, LIMITS);
  const child = spawn(command, args, {
    env: ENVIRONMENT,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A fault while a file is read reaches that file's reader; this listener is for idle processes.
  child.on('error', () => {});
  child.once('exit', () => idle.forget(child));
  return child;
}
