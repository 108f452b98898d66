import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findPostgresPrograms } from './postgres-programs';
import { findServerUser, type ServerUser } from './server-user';

/** The place of one PostgreSQL, and the user that it runs as. */
export interface Place {
  /** Folder of `initdb` and `postgres`. */
  programs: string;
  directory: string;
  data: string;
  log: string;
  runAs: ServerUser | undefined;
}

/**
 * Makes `directory` ready to hold a cluster. PostgreSQL refuses to run as root, so root runs it as another user, who has to
 * reach both the programs and the data. In a folder that is closed to others, root's home for one, that user cannot: then
 * both go under /var/lib/mediagate, the data in a folder named after `directory`.
 */
export async function preparePlace(directory: string): Promise<Place> {
  const programs = findPostgresPrograms();
  const runAs = findServerUser();
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
  if (runAs === undefined) return placeOf(programs, directory, runAs);

  await chown(directory, runAs.uid, runAs.gid);
  const reached = canEnter(directory, runAs) ? directory : await openDirectory(directory);
  await chown(reached, runAs.uid, runAs.gid);
  return placeOf(canEnter(programs, runAs) ? programs : await copyPrograms(programs), reached, runAs);
}

function placeOf(programs: string, directory: string, runAs: ServerUser | undefined): Place {
  return { programs, directory, runAs, data: join(directory, 'data'), log: join(directory, 'postgres.log') };
}

const OPEN_ROOT = '/var/lib/mediagate';

function canEnter(directory: string, user: ServerUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

async function openDirectory(directory: string): Promise<string> {
  const open = join(OPEN_ROOT, createHash('sha256').update(directory).digest('hex').slice(0, 16));
  await makeOpenRoot();
  await mkdir(open, { recursive: true, mode: 0o700 });
  // A link leads whoever looks for the data in the place they were meant for.
  const sign = join(directory, 'moved');
  if (!existsSync(sign)) await symlink(open, sign);
  return open;
}

/** Others pass through it and cannot list it. */
async function makeOpenRoot(): Promise<void> {
  await mkdir(OPEN_ROOT, { recursive: true });
  await chmod(OPEN_ROOT, 0o711);
}

/** Under a name of its own until it is whole, so a copy that was cut short is never used. */
async function copyPrograms(programs: string): Promise<string> {
  const native = dirname(programs);
  const version = createHash('sha256').update(native).digest('hex').slice(0, 16);
  const copy = join(OPEN_ROOT, `postgres-${version}`);
  if (!existsSync(copy)) {
    await makeOpenRoot();
    const unfinished = `${copy}.${process.pid}`;
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
      // Somebody else was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      await rm(unfinished, { recursive: true });
    });
  }
  return join(copy, basename(programs));
}
