import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Attack, Tally } from './attacker-process';

const ROOT = join(__dirname, '../..');

export interface Attacker {
  run(attack: Attack): Promise<Tally>;
  /** All at once. */
  runTogether(attacks: readonly Attack[]): Promise<Tally[]>;
  stop(): void;
}

/**
 * A process that sends what an attacker would, so that the one that watches has its time for itself. It has the lowest priority:
 * an attacker's own work is done on another machine, and takes nothing of the service's.
 */
export async function startAttacker(): Promise<Attacker> {
  const child = startProgram('attacker-process.ts');
  setPriority(child.pid as number, constants.priority.PRIORITY_LOW);
  await once(child, 'message');
  async function runTogether(attacks: readonly Attack[]): Promise<Tally[]> {
    child.send(attacks);
    const [tallies] = (await once(child, 'message')) as [Tally[]];
    return tallies;
  }
  return {
    run: async (attack) => (await runTogether([attack]))[0] ?? {},
    runTogether,
    stop: () => void child.kill('SIGKILL'),
  };
}

export interface Reader {
  port: number;
  stop(): void;
}

/** A server that reads what the API would, and drops it: what sending and reading alone take of the machine. */
export async function startReader(): Promise<Reader> {
  const child = startProgram('reader-process.ts');
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop: () => void child.kill('SIGKILL') };
}

function startProgram(file: string): ChildProcess {
  const loaded = ['register-typescript.cjs', 'end-with-parent.cjs'].flatMap((script) => [
    '--require',
    join(ROOT, 'scripts', script),
  ]);
  return spawn(process.execPath, [...loaded, join(__dirname, file)], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
