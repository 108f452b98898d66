import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { findProgram } from './find-program';
import { untilExit } from './process-control';

/** How Redis is run here: a program of this machine, or a container when there is none and none can be installed. */
export type RedisProgram = { kind: 'program'; path: string } | { kind: 'docker'; path: string };

/** Where programs are looked for, each in the form of PATH. */
export interface ProgramFolders {
  path: string;
  /** Where package managers put programs, whether PATH names it or not. */
  installed: string;
}

/**
 * Finds Redis 6.2 or newer (or Valkey, which speaks the same) on PATH, or else installs it with the system's package
 * manager, because npm has none. To install what is there already changes nothing.
 *
 * @param say receives what is being installed.
 * @throws Error with the command to run by hand.
 */
export async function ensureRedis(
  say: (line: string) => void,
  { path, installed }: ProgramFolders = usualFolders(),
): Promise<RedisProgram> {
  const everywhere = [path, installed].join(delimiter);
  const program = findServer(path) ?? (await install(everywhere, say)) ?? findServer(everywhere);
  if (program !== undefined) return { kind: 'program', path: program };
  const docker = findOnPath('docker', everywhere);
  if (docker !== undefined && (await succeeds([docker, 'info'], everywhere))) return { kind: 'docker', path: docker };
  throw new Error(
    `redis-server, which keeps the queues, is not on PATH and could not be installed. ${advice(everywhere)}`,
  );
}

interface PackageManager {
  program: string;
  commands: string[][];
  /** Whether it must run as root. */
  needsRoot: boolean;
}

const PACKAGE_MANAGERS: PackageManager[] = [
  {
    program: 'apt-get',
    commands: [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'redis-server'],
    ],
    needsRoot: true,
  },
  { program: 'dnf', commands: [['dnf', 'install', '-y', '-q', 'redis']], needsRoot: true },
  { program: 'dnf', commands: [['dnf', 'install', '-y', '-q', 'valkey']], needsRoot: true },
  { program: 'apk', commands: [['apk', 'add', '--quiet', 'redis']], needsRoot: true },
  { program: 'brew', commands: [['brew', 'install', '--quiet', 'redis']], needsRoot: false },
];

const SERVERS = ['redis-server', 'valkey-server'];
const INSTALLED = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/sbin', '/bin', '/opt/homebrew/bin'];
const INSTALL_LIMIT_MS = 300_000;

function usualFolders(): ProgramFolders {
  return { path: process.env['PATH'] ?? '', installed: INSTALLED.join(delimiter) };
}

function findServer(searchPath: string): string | undefined {
  for (const name of SERVERS) {
    const path = findOnPath(name, searchPath);
    if (path !== undefined) return path;
  }
  return undefined;
}

function findOnPath(name: string, searchPath: string): string | undefined {
  const directories = searchPath.split(delimiter).filter((directory) => directory !== '');
  return findProgram(directories.map((directory) => join(directory, name)));
}

/** The server's path, or undefined when no package manager of this machine could bring it. */
async function install(searchPath: string, say: (line: string) => void): Promise<string | undefined> {
  for (const manager of PACKAGE_MANAGERS) {
    if (findOnPath(manager.program, searchPath) === undefined) continue;
    const program = (await installWith(manager, searchPath, say)) ? findServer(searchPath) : undefined;
    if (program !== undefined) return program;
  }
  return undefined;
}

async function installWith(
  { commands, needsRoot }: PackageManager,
  searchPath: string,
  say: (line: string) => void,
): Promise<boolean> {
  for (const command of commands) {
    const full = needsRoot && process.getuid?.() !== 0 ? ['sudo', '-n', ...command] : command;
    // Without its options: the line is for a terminal of 80 columns.
    say(`installing Redis: ${full.filter((word) => !word.startsWith('-')).join(' ')}`);
    if (!(await succeeds([...FOR_ALL_USERS, ...full], searchPath))) return false;
  }
  return true;
}

/**
 * Packages are for all users of the machine, however closed the files of this process are. `apt-get update` fails beside another one, so
 * that several processes that install wait for each other, where the system has a program for that.
 */
const INSTALLER = `
  umask 022
  if [ -d /var/lib/apt ] && command -v flock >/dev/null; then exec flock --timeout 240 /var/lib/apt "$@"; fi
  exec "$@"`;
const FOR_ALL_USERS = ['/bin/sh', '-c', INSTALLER, 'sh'];

async function succeeds([program = '', ...args]: string[], searchPath: string): Promise<boolean> {
  const child = spawn(program, args, {
    stdio: 'ignore',
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, PATH: searchPath, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return (await untilExit(child)).code === 0;
}

function advice(searchPath: string): string {
  const manager = PACKAGE_MANAGERS.find(({ program }) => findOnPath(program, searchPath) !== undefined);
  if (manager === undefined) return 'Install redis-server (6.2 or newer), or set REDIS_URL to a server of yours.';
  const commands = manager.commands.map((command) => (manager.needsRoot ? ['sudo', ...command] : command).join(' '));
  return `Run: ${commands.join(' && ')} (or set REDIS_URL to a server of yours).`;
}
