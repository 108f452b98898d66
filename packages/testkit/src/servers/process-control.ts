import { type ChildProcess, execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export function untilExit(child: ChildProcess): Promise<Exit> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  }
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: -1, signal: null }));
  });
}

/** A busy machine may take ten times as long as an idle one. */
const START_LIMIT_MS = 120_000;
const ANSWER_LIMIT_MS = 2000;

/** Waits for a server that was started. @throws Error when it ends instead, or does not answer in time. */
export async function untilItAnswers(answers: () => Promise<boolean>, exited: Promise<Exit>): Promise<void> {
  let gone: Exit | undefined;
  void exited.then((exit) => {
    gone = exit;
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await answers())) {
    if (gone !== undefined) throw new Error(`It ended with ${gone.signal ?? `code ${gone.code}`}.`);
    if (Date.now() > deadline) throw new Error(`No answer within ${START_LIMIT_MS / 1000} s.`);
    await delay(POLL_MS);
  }
}

/** Waits until a process that was started answers with success. @throws Error when it ends instead, does not in time, or the signal aborts. */
export function untilReady(child: ChildProcess, url: string, signal?: AbortSignal): Promise<void> {
  const answers = () => {
    signal?.throwIfAborted();
    return answersOk(url);
  };
  return untilItAnswers(answers, untilExit(child));
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Not listening yet, or not answering in time.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a process, or undefined when there is none: a process id alone says nothing after a restart. */
export async function commandOf(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  const command = process.platform === 'linux' ? await readCommandLine(pid) : await askPs(pid);
  return command === '' ? undefined : command;
}

async function readCommandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch (error) {
    if (isGone(error)) return '';
    throw error;
  }
}

async function askPs(pid: number): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.trim();
  } catch (error) {
    // ps answers 1 when there is no such process.
    if ((error as { code?: unknown }).code === 1) return '';
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ESRCH';
}

/**
 * Asks a process to end and, when it has not within `graceMs`, ends it. Resolves once it is gone.
 *
 * @throws Error when it survives even that, for example because it belongs to somebody else.
 */
export async function endProcess(
  pid: number,
  { signal = 'SIGTERM' as NodeJS.Signals, graceMs = 5000 } = {},
): Promise<void> {
  if (await endsWithin(pid, signal, graceMs)) return;
  if (await endsWithin(pid, 'SIGKILL', KILL_WAIT_MS)) return;
  throw new Error(`Process ${pid} does not end.`);
}

const KILL_WAIT_MS = 5000;
const POLL_MS = 20;

async function endsWithin(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<boolean> {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    if (!isAlive(pid) || (await isZombie(pid))) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** Ended, and only waiting for its parent to take notice: in a container often nobody does. */
async function isZombie(pid: number): Promise<boolean> {
  return process.platform === 'linux' && (await readCommandLine(pid)) === '';
}
