import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Limit on the output of Python and pip; its last line names the fault. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const INSTALL_LIMIT_MS = 10 * 60_000;
/** Written last: an environment without it was left half made. */
const COMPLETE = 'complete';

/**
 * An environment of Python of its own, with these packages as the machine's pip finds them. It is made once and kept.
 *
 * @returns the folder of its programs.
 * @throws Error with one line that says what is missing: Python, its `venv`, or what pip was to install.
 */
export async function pythonEnvironment(directory: string, packages: readonly string[]): Promise<string> {
  const programs = join(directory, 'bin');
  if (existsSync(join(directory, COMPLETE))) return programs;
  rmSync(directory, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', directory]);
  await run(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  writeFileSync(join(directory, COMPLETE), '');
  return programs;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args, { timeout: INSTALL_LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES });
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    throw new Error(lastLine(stderr) ?? lastLine(message) ?? `${program} failed`);
  }
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined;
}
