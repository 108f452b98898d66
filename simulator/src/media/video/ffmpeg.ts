import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs ffmpeg to the end; throws with the end of its output when it fails or takes too long. */
export type Ffmpeg = (args: string[]) => Promise<void>;

const MAX_PROCESSES = 2;
const TIMEOUT_MS = 120_000;
const VERSION_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_REPORT_CHARS = 2_000;

/** Throws naming the program and its variable when it is not an ffmpeg that runs here. */
export async function checkFfmpeg(program: string): Promise<void> {
  const { stdout } = await promisify(execFile)(program, ['-version'], { timeout: VERSION_TIMEOUT_MS }).catch(
    (cause: Error) => {
      throw new Error(`FFMPEG_PATH names ${program}, which does not run: ${cause.message}`, { cause });
    },
  );
  if (!stdout.startsWith('ffmpeg version ')) throw new Error(`FFMPEG_PATH names ${program}, which is not ffmpeg`);
}

/** At most two processes at once; the others wait their turn. The signal kills those that run. */
export function createFfmpeg(program: string, closing: AbortSignal): Ffmpeg {
  return twoAtOnce((args) => run(program, args, closing));
}

export function twoAtOnce(work: Ffmpeg): Ffmpeg {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (args) => {
    if (running === MAX_PROCESSES) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      await work(args);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** ffmpeg ran and failed: the fault is in the bytes. A program that cannot be run is a fault. */
export function whenUnreadable(error: unknown): undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const exitCode = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  if (typeof exitCode === 'number') return undefined;
  throw error;
}

function run(program: string, args: string[], closing: AbortSignal): Promise<void> {
  const options = {
    signal: closing,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL' as const,
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  return new Promise((resolve, reject) => {
    execFile(program, ['-nostdin', '-v', 'error', '-y', ...args], options, (error, _stdout, stderr) => {
      if (!error) return resolve();
      const report = stderr.slice(-MAX_REPORT_CHARS) || error.message;
      reject(new Error(`${program} failed; FFMPEG_PATH names the program. ${report}`, { cause: error }));
    });
  });
}
