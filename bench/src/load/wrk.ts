import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClosedLoop, LoadResult } from './closed-loop';

const SCRIPT = join(__dirname, 'wrk.lua');
/** Beyond the load's own time: connecting, the last answers. */
const MARGIN_MS = 20_000;

/** Closed loop by `wrk`, one thread. */
export async function runWrk(load: ClosedLoop): Promise<LoadResult> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-load-'));
  try {
    const headers = Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`);
    const script = [
      load.method,
      place(directory, 'body', load.body),
      place(directory, 'paths', load.paths?.join('\n')),
    ];
    // wrk takes whole seconds only.
    const seconds = Math.max(1, Math.round(load.durationMs / 1000));
    const flags = ['-t1', `-c${load.connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', SCRIPT];
    const { stdout } = await promisify(execFile)('wrk', [...flags, load.url, '--', ...script, ...headers], {
      timeout: load.durationMs + MARGIN_MS,
    });
    return readResult(stdout);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function place(directory: string, name: string, text: string | undefined): string {
  if (text === undefined) return '-';
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

/** The line that the script prints at the end; durations are in microseconds. */
function readResult(output: string): LoadResult {
  const line = /^result (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output);
  if (!line) throw new Error(`wrk gave no result:\n${output}`);
  const [requests = 0, micros = 0, refused = 0, broken = 0, p50 = 0, p99 = 0] = line.slice(1).map(Number);
  return { requests, seconds: micros / 1e6, failures: refused + broken, p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
}
