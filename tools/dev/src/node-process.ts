import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endProcess, untilExit, untilReady } from '@mediagate/testkit/servers';
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
