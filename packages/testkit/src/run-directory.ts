import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, endLeftoverPostgres, endLeftoverRedis } from '@mediagate/local-servers';

export interface RunDirectory {
  postgres: string;
  redis: string;
  release(): Promise<void>;
}

/**
 * A directory for the servers of the run that this process keeps, under the system's temporary one so that the user
 * PostgreSQL runs as can reach it. First ends the servers of runs whose keeper was killed, and removes what they left.
 */
export async function claimRunDirectory(): Promise<RunDirectory> {
  const base = join(tmpdir(), `mediagate-test-${process.getuid?.() ?? 0}`);
  await mkdir(base, { recursive: true });
  for (const name of await readdir(base)) {
    if (!(await isKept(Number(name)))) await clear(join(base, name));
  }
  const run = join(base, String(process.pid));
  await mkdir(run);
  return { ...serverDirectories(run), release: () => rm(run, { recursive: true, force: true }) };
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
