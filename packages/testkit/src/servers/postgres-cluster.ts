import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from './postgres-place';

/** The cluster's superuser. */
export const USER = 'mediagate';

/**
 * Makes the cluster when it is not there, and returns its password. A cluster appears under its name only when it is
 * whole: initdb that was cut short leaves a half that the next call throws away.
 */
export async function prepareCluster(place: Place): Promise<string> {
  const passwordFile = join(place.directory, 'password');
  if (await exists(join(place.data, 'PG_VERSION'))) return (await readFile(passwordFile, 'utf8')).trim();

  const password = randomBytes(18).toString('base64url');
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.runAs !== undefined) await chown(passwordFile, place.runAs.uid, place.runAs.gid);

  const unfinished = `${place.data}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const flags = [
    '--auth=scram-sha-256',
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
  ];
  await promisify(execFile)(join(place.programs, 'initdb'), [...flags, '--no-instructions', '-D', unfinished], {
    ...place.runAs,
    cwd: place.directory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    timeout: INITDB_LIMIT_MS,
  });
  await rename(unfinished, place.data);
  return password;
}

const INITDB_LIMIT_MS = 120_000;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
