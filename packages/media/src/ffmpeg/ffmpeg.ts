import { spawn } from 'node:child_process';
import type { Slots } from '@mediagate/concurrency';
import type { Owner } from '@mediagate/contracts';
import { WorkSlots } from '../work-slots';
import { confine, RUN_LIMITS, type RunLimits } from './confine';

export interface FfmpegOptions {
  /** Absolute. */
  path: string;
  /** The process's slots for runs; default: those of a `WorkSlots` of its own. */
  slots?: Slots;
  /** The time limit of one run, without the wait before it; default 120 s. */
  timeoutMs?: number;
  /** Default `RUN_LIMITS`. */
  limits?: RunLimits;
  /** The result of `findIsolation`; default: none. */
  isolation?: readonly string[];
}

export interface Ffmpeg {
  /** Throws FfmpegError; the signal's reason. */
  run(args: readonly string[], options: RunOptions): Promise<void>;
}

export interface RunOptions {
  owner: Owner;
  signal: AbortSignal;
  /** Encodes video, which takes the most memory: one such run at a time. */
  encodesVideo?: boolean;
}

/** The program is missing, or could not do what it was asked to. The message is for operators. */
export class FfmpegError extends Error {
  /** The program's own, where it ran to its end: of another file it may make something. */
  readonly exitCode: number | undefined;

  constructor(message: string, { exitCode, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.name = 'FfmpegError';
    this.exitCode = exitCode;
  }
}

const DEFAULT_TIMEOUT_MS = 120_000;
const VERSION_TIMEOUT_MS = 10_000;
/** The beginning of its complaint that is kept. */
const MAX_COMPLAINT_CHARACTERS = 1_000;
/** One piece of memory: half of it is a plane of 64 megapixels at 16 bits. */
const MAX_ALLOCATION_BYTES = 256 * 1024 * 1024;
const BANNER = /^ffmpeg version \S+/;
/**
 * The program reads files made by strangers, so it gets nothing of our own environment. Each further arena of glibc would
 * reserve 64 MB of the address space for a thread.
 */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2' };
/** Exit codes of the shell: the command is not there, or is no program. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

const GENERAL = [
  '-hide_banner',
  '-nostdin',
  '-loglevel',
  'error',
  '-y',
  '-max_alloc',
  String(MAX_ALLOCATION_BYTES),
  // As many as there are cores would be too many for the limits on a large machine. The first is of decoders.
  '-threads',
  '2',
  '-filter_threads',
  '2',
  '-filter_complex_threads',
  '2',
];

/** Runs ffmpeg within limits and without a terminal. */
export function createFfmpeg({
  path,
  slots = new WorkSlots().ffmpegRuns,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  limits = RUN_LIMITS,
  isolation = [],
}: FfmpegOptions): Ffmpeg {
  return {
    async run(args, { owner, signal, encodesVideo = false }) {
      const { release } = await slots.take({ owner, keys: encodesVideo ? ['encodes video'] : [] }, signal);
      try {
        await runOnce(confine([...isolation, path, ...GENERAL, ...args], limits), { path, timeoutMs, signal });
      } finally {
        release();
      }
    },
  };
}

/** Answers the program's name and version. Throws FfmpegError, to be shown at start-up, when there is none. */
export async function checkFfmpeg(path: string): Promise<string> {
  const options = { path, timeoutMs: VERSION_TIMEOUT_MS, signal: new AbortController().signal };
  const [version] = BANNER.exec(await runOnce([path, '-version'], options)) ?? [];
  if (version === undefined) throw new FfmpegError(`${path} is not ffmpeg`);
  return version;
}

interface Run {
  /** The program's path, for messages. */
  path: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Answers the beginning of what it printed. */
function runOnce([program = '', ...args]: readonly string[], { path, timeoutMs, signal }: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let printed = '';
    let cause: unknown;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT });
    const collect = (chunk: Buffer) => {
      if (printed.length < MAX_COMPLAINT_CHARACTERS) printed += chunk.toString('utf8');
    };
    const kill = (reason: unknown) => {
      cause = reason;
      child.kill('SIGKILL');
    };
    const stop = () => kill(signal.reason);
    const timer = setTimeout(() => kill(new FfmpegError(`ffmpeg took longer than ${timeoutMs / 1000} s`)), timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      cause ??= new FfmpegError(`${path} could not be started: ${error.message}`, { cause: error });
    });
    // Comes last in any case, also when there was nothing to start.
    child.once('close', (code, endedBy) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      const complaint = printed.slice(0, MAX_COMPLAINT_CHARACTERS);
      if (cause !== undefined) reject(cause);
      else if (endedBy !== null) reject(new FfmpegError(`ffmpeg was ended by ${endedBy}${reasonOf(endedBy)}`));
      else if (code !== 0) reject(ended(path, code, complaint.trim()));
      else resolve(complaint);
    });
  });
}

function reasonOf(signal: NodeJS.Signals): string {
  // The kernel's own, as nobody here had a reason for it.
  if (signal === 'SIGKILL') return ': it took more CPU or memory than it may';
  if (signal === 'SIGXFSZ') return ': it wrote a larger file than it may';
  return '';
}

function ended(path: string, code: number | null, complaint: string): FfmpegError {
  if (code === null || NOT_STARTED.has(code)) return new FfmpegError(`${path} could not be started: ${complaint}`);
  return new FfmpegError(`ffmpeg ended with code ${code}: ${complaint}`, { exitCode: code });
}
