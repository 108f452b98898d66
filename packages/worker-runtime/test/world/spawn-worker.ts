import { fork } from 'node:child_process';
import { once } from 'node:events';
import { TYPESCRIPT } from './typescript';
import type { WorkerSpec } from './worker-spec';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface WorkerProcess {
  takeJobs(): void;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when all tasks have come to their points, right before the process gets the fault's signal. */
  struck: Promise<void>;
  /** Resolves when it was asked to end and takes no more jobs. */
  draining: Promise<void>;
  exited: Promise<Exit>;
  /** Ends it if it still lives, frozen or not. */
  kill(): Promise<void>;
}

/** Resolves once it has opened everything; it takes jobs when a test asks it to. */
export async function spawnWorker(spec: WorkerSpec): Promise<WorkerProcess> {
  const child = fork(require.resolve('./worker-process'), {
    execArgv: TYPESCRIPT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, WORKER_SPEC: JSON.stringify(spec), LOG_LEVEL: 'error' },
  });
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
  const says = (word: string) =>
    new Promise<void>((resolve) => {
      child.on('message', (message) => {
        if (message === word) resolve();
      });
    });
  const [struck, draining] = [says('struck'), says('draining')];
  const died = exited.then((exit) => {
    throw new Error(`the worker ended before it was ready: ${JSON.stringify(exit)}`);
  });
  await Promise.race([says('ready'), died]);
  // From here on its end is what a test waits for.
  died.catch(() => undefined);
  return {
    struck,
    draining,
    exited,
    takeJobs: () => void child.send('take jobs'),
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
