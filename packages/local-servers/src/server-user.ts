import { execFileSync } from 'node:child_process';

export interface ServerUser {
  uid: number;
  gid: number;
}

const NAME = 'postgres';

/** Whom root runs PostgreSQL as, made when there is none; undefined when this process is not root. */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found !== undefined) return found;
  create();
  const created = lookUp();
  if (created === undefined) throw new Error(`The system user "${NAME}" was not made.`);
  return created;
}

function lookUp(): ServerUser | undefined {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch (error) {
    // `id` answers 1 when there is no such user.
    if ((error as { status?: unknown }).status === 1) return undefined;
    throw error;
  }
}

function create(): void {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', NAME], { stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Busybox spells it so.
    execFileSync('adduser', ['-S', '-D', '-H', NAME], { stdio: 'pipe' });
  }
}
