import { commandOf, endProcess } from '@mediagate/testkit/servers';
import type { Home } from './home';

/** Enough to know a process again: its number alone may be another's by now. */
interface Known {
  pid: number;
  command: string;
}

interface Recorded {
  supervisor: Known;
  parts: Record<string, Known>;
}

export interface ProcessRecord {
  /** Keeps what runs now, so that the next start can end what a kill leaves behind. */
  keep(pids: Record<string, number>): Promise<void>;
  /** Nothing is left to end. */
  clear(): void;
}

const FILE = 'processes.json';
const LEFTOVER_GRACE_MS = 5000;

/**
 * Takes the home for this process. What an earlier start left running because it was killed is ended first.
 *
 * @throws Error when another start is still at work on the same home: two would write one database.
 */
export async function claimHome(home: Home, say: (line: string) => void): Promise<ProcessRecord> {
  const recorded = home.read<Recorded>(FILE);
  if (recorded !== undefined) {
    const { supervisor, parts } = recorded;
    if (supervisor.pid !== process.pid && (await isStill(supervisor))) {
      throw new Error(
        `${home.path} is in use by process ${supervisor.pid}: stop it, or set MEDIAGATE_HOME to another folder.`,
      );
    }
    await Promise.all(Object.entries(parts).map(([name, known]) => endLeftover(name, known, say)));
  }
  const supervisor = await recognise(process.pid);
  let parts: Record<string, Known> = {};
  home.write(FILE, { supervisor, parts });
  return {
    async keep(pids) {
      parts = Object.fromEntries(
        await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await recognise(pid)] as const)),
      );
      home.write(FILE, { supervisor, parts });
    },
    clear: () => home.remove(FILE),
  };
}

async function recognise(pid: number): Promise<Known> {
  return { pid, command: (await commandOf(pid)) ?? '' };
}

async function isStill({ pid, command }: Known): Promise<boolean> {
  return command !== '' && (await commandOf(pid)) === command;
}

async function endLeftover(name: string, known: Known, say: (line: string) => void): Promise<void> {
  if (!(await isStill(known))) return;
  say(`ending ${name} (process ${known.pid}), left by an earlier start`);
  // PostgreSQL takes SIGTERM as "when all have left" and SIGINT as "now"; to the others they are the same.
  await endProcess(known.pid, { signal: 'SIGINT', graceMs: LEFTOVER_GRACE_MS });
}
