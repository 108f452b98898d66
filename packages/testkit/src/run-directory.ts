import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, endLeftoverPostgres, endLeftoverRedis } from './servers';

export interface RunDirectory {
  postgres: string;
  redis: string;
  release(): Promise<void>;
}

/**
 * A directory for the servers of the run that this process keeps, where the user PostgreSQL runs as can reach it: in memory,
 * or under the system's temporary one. First ends the servers of runs whose keeper was killed, and removes what they left.
 */
export async function claimRunDirectory(): Promise<RunDirectory> {
  const name = `mediagate-test-${process.getuid?.() ?? 0}`;
  for (const folder of [MEMORY, tmpdir()]) await clearLeft(join(folder, name));
  const run = join((await hasMemory()) ? MEMORY : tmpdir(), name, String(process.pid));
  await mkdir(run, { recursive: true });
  return { ...serverDirectories(run), release: () => rm(run, { recursive: true, force: true }) };
}

/**
 * A file system in memory, on Linux. A run makes databases of 560 files each and drops them again, many hundred times, which on
 * a disk that others write to takes up to ten times as much of the kernel.
 */
const MEMORY = '/dev/shm';
/** Enough for the log, which is bounded, and for the databases of all test files at a time. */
const MEMORY_BYTES = 2 * 1024 ** 3;

async function hasMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= MEMORY_BYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function clearLeft(base: string): Promise<void> {
  if (!existsSync(base)) return;
  for (const name of await readdir(base)) {
    if (!(await isKept(Number(name)))) await clear(join(base, name));
  }
}

function serverDirectories(run: string) {
  return { postgres: join(run, 'postgres'), redis: join(run, 'redis') };
}

/** The directory of a run is named after its keeper's process; the number may by now be anybody's, or this one's. */
async function isKept(pid: number): Promise<boolean> {
  if (pid === process.pid) return false;
  return (await commandOf(pid))?.includes(KEEPER) ?? false;
}

const KEEPER = join('testkit', 'src', 'keeper.ts');

async function clear(run: string): Promise<void> {
  const { postgres, redis } = serverDirectories(run);
  await endLeftoverPostgres(postgres);
  await endLeftoverRedis(redis);
  await rm(run, { recursive: true, force: true });
}
