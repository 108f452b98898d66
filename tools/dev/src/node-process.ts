import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, untilExit } from '@mediagate/testkit/servers';
import type { Life, Part } from './keep-up';
import type { Output } from './logs/service-logs';

export interface NodeProcess {
  name: string;
  /** The file to run. */
  main: string;
  env: NodeJS.ProcessEnv;
  /** Answers with a 2xx once it is ready. */
  readyUrl: string;
  /** How long it may take to finish its work when it is asked to end. */
  drainMs: number;
  output: Output;
}

const READY_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 2000;
const POLL_MS = 50;

/** A service as a part to be kept up. In a session of its own, so that Ctrl-C reaches only whoever is to stop it in order. */
export function nodeProcess({ name, main, env, readyUrl, drainMs, output }: NodeProcess): Part {
  return {
    name,
    async start({ signal, spawned }) {
      const child = spawn(process.execPath, [...process.execArgv, main], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const exited = untilExit(child);
      const pid = child.pid;
      if (pid === undefined) throw new Error(`${process.execPath} could not be started`);
      spawned(pid);
      readLines(child.stdout, output.line);
      readLines(child.stderr, output.errorLine);
      const life: Life = {
        pid,
        exited,
        async stop() {
          await endProcess(pid, { graceMs: drainMs });
          await exited;
        },
      };
      try {
        await untilReady(child, readyUrl, signal);
      } catch (error) {
        await endProcess(pid, { signal: 'SIGKILL' });
        throw error;
      }
      return life;
    },
  };
}

function readLines(stream: Readable, take: (line: string) => void): void {
  createInterface({ input: stream }).on('line', take);
}

async function untilReady(child: ChildProcess, url: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!(await answers(url))) {
    signal.throwIfAborted();
    const { exitCode, signalCode } = child;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`it ended with ${signalCode ?? `exit code ${exitCode}`}`);
    if (Date.now() > deadline) throw new Error(`it was not ready within ${READY_LIMIT_MS / 1000} s`);
    await delay(POLL_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Not listening yet, or not answering in time.
    return false;
  }
}
