import { execFileSync } from 'node:child_process';
import { findProgram } from './find-program';

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
    const ask = (flag: string) =>
      Number(execFileSync('/usr/bin/id', [flag, NAME], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch (error) {
    // `id` answers 1 when there is no such user.
    if ((error as { status?: unknown }).status === 1) return undefined;
    throw error;
  }
}

/** Looked for where systems keep them: a PATH may leave out what only root uses. */
const COMMANDS = [
  { program: '/usr/sbin/useradd', args: ['--system', '--user-group', '--no-create-home', NAME] },
  // Busybox spells it so.
  { program: '/usr/sbin/adduser', args: ['-S', '-D', '-H', NAME] },
];

function create(): void {
  const command = COMMANDS.find(({ program }) => findProgram([program]) !== undefined);
  if (command === undefined) {
    throw new Error(
      `PostgreSQL does not run as root, and this machine has no useradd to make the user "${NAME}" with: make that user, start as another user than root, or set DATABASE_URL to a server of yours.`,
    );
  }
  execFileSync(command.program, command.args, { stdio: 'pipe' });
}
