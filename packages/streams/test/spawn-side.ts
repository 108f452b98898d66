import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TaskId } from '@mediagate/contracts';
import type { DirectAddress, StreamTiming } from '../src';

export interface ProcessSpec {
  redisUrl: string;
  prefix: string;
  timing: StreamTiming;
  taskId: TaskId;
  /** Of an API process. */
  direct?: DirectAddress | undefined;
}

/** A side as a process of its own, which can be killed and frozen. */
export interface SideProcess {
  signal(signal: NodeJS.Signals): void;
  /** The next word that it says. */
  says(): Promise<unknown>;
  /** Ends it if it still lives, frozen or not. */
  kill(): Promise<void>;
}

const PROGRAMS = {
  api: require.resolve('./api-process'),
  worker: require.resolve('./worker-process'),
};

export function spawnSide(side: keyof typeof PROGRAMS, spec: ProcessSpec): SideProcess {
  const child: ChildProcess = fork(PROGRAMS[side], {
    execArgv: ['--conditions=source', '--require', join(__dirname, '../../../scripts/register-typescript.cjs')],
    env: { ...process.env, SIDE_SPEC: JSON.stringify(spec) },
  });
  const exited = once(child, 'exit');
  return {
    signal: (signal) => void child.kill(signal),
    says: async () => (await once(child, 'message'))[0] as unknown,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
