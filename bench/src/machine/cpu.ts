import { existsSync, readFileSync } from 'node:fs';

/** A process whose CPU time counts, and whether the processes below it do. */
export interface Counted {
  pid: number;
  withChildren?: boolean;
}

/** The kernel counts in hundredths of a second, whatever its own tick: USER_HZ. */
const MICROS_PER_TICK = 10_000;

/**
 * CPU time since the start of these processes, user and system, in microseconds; undefined where there is no /proc. Of a
 * process that was counted and is gone only the children's share of a living parent remains.
 */
export function cpuMicros(processes: readonly Counted[]): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  return processes.reduce((sum, { pid, withChildren }) => sum + (withChildren ? treeMicros(pid) : ownMicros(pid)), 0);
}

function ownMicros(pid: number): number {
  const [user = 0, system = 0] = readTimes(pid);
  return (user + system) * MICROS_PER_TICK;
}

/** One level is enough: PostgreSQL's processes have no children of their own. */
function treeMicros(pid: number): number {
  const ended = readTimes(pid).slice(2);
  const living = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  const endedMicros = ended.reduce((sum, ticks) => sum + ticks, 0) * MICROS_PER_TICK;
  return living.reduce((sum, child) => sum + ownMicros(child), ownMicros(pid) + endedMicros);
}

/** utime, stime, cutime, cstime: fields 14 to 17, counted after the name, which may hold anything. */
function readTimes(pid: number): number[] {
  const text = readText(`/proc/${pid}/stat`);
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
}

/** A process may end between being listed and being read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
