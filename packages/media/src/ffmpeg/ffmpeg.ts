import { spawn } from 'node:child_process';
import { createSlots } from '@mediagate/egress';

export interface FfmpegOptions {
  /** A path, or a name to be looked for in the usual folders. */
  path: string;
  /** Runs at once, each of which can keep a core busy; default 2. One more waits. */
  maxAtOnce?: number;
  /** Of one run, the wait before it left out; default 120 s. */
  timeoutMs?: number;
}

export interface Ffmpeg {
  /** Throws FfmpegError; the signal's reason. */
  run(args: readonly string[], signal: AbortSignal): Promise<void>;
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

const DEFAULT_MAX_AT_ONCE = 2;
const DEFAULT_TIMEOUT_MS = 120_000;
const VERSION_TIMEOUT_MS = 10_000;
/** Of what it complains of, the beginning. */
const MAX_COMPLAINT_CHARACTERS = 1_000;
/** One piece of memory: half of it is a plane of 64 megapixels at 16 bits. */
const MAX_ALLOCATION_BYTES = 256 * 1024 * 1024;
const BANNER = /^ffmpeg version \S+/;
/** Nothing of our own environment is a stranger's business, and it reads files made by strangers. */
const ENVIRONMENT = { PATH: '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin' };

const GENERAL = [
  ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'],
  ...['-max_alloc', String(MAX_ALLOCATION_BYTES)],
];

/** Runs ffmpeg, without a shell and without a terminal. */
export function createFfmpeg({ path, maxAtOnce, timeoutMs = DEFAULT_TIMEOUT_MS }: FfmpegOptions): Ffmpeg {
  const slots = createSlots(maxAtOnce ?? DEFAULT_MAX_AT_ONCE);

  return {
    async run(args, signal) {
      const release = await slots.take(signal);
      try {
        await runOnce(path, [...GENERAL, ...args], { timeoutMs, signal });
      } finally {
        release();
      }
    },
  };
}

/** Answers the program's name and version. Throws FfmpegError, to be shown at start-up, when there is none. */
export async function checkFfmpeg(path: string): Promise<string> {
  const options = { timeoutMs: VERSION_TIMEOUT_MS, signal: new AbortController().signal };
  const [version] = BANNER.exec(await runOnce(path, ['-version'], options)) ?? [];
  if (version === undefined) throw new FfmpegError(`${path} is not ffmpeg`);
  return version;
}

/** Answers the beginning of what it printed. */
function runOnce(
  path: string,
  args: readonly string[],
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let printed = '';
    let cause: unknown;
    const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT });
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
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      const complaint = printed.slice(0, MAX_COMPLAINT_CHARACTERS);
      if (cause !== undefined) reject(cause);
      else if (code !== 0) reject(ended(code, complaint.trim()));
      else resolve(complaint);
    });
  });
}

/** Without a code something ended it from outside. */
function ended(code: number | null, complaint: string): FfmpegError {
  const message = `ffmpeg ended with code ${code}: ${complaint}`;
  return new FfmpegError(message, code === null ? {} : { exitCode: code });
}
