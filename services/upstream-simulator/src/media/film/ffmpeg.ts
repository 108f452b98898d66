import { execFile } from 'node:child_process';

/** Runs ffmpeg to the end; throws with the end of what it said when it fails or takes too long. */
export type Ffmpeg = (args: string[]) => Promise<void>;

const MAX_PROCESSES = 2;
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_REPORT_CHARS = 2_000;

/** At most two processes at once; the others wait their turn. The signal kills those that run. */
export function createFfmpeg(program: string, closing: AbortSignal): Ffmpeg {
  let running = 0;
  const waiting: (() => void)[] = [];

  const enter = () => {
    if (running < MAX_PROCESSES) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    // The place goes to the next in line as it is.
    if (next) next();
    else running -= 1;
  };

  return async (args) => {
    await enter();
    try {
      await run(program, args, closing);
    } finally {
      leave();
    }
  };
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
