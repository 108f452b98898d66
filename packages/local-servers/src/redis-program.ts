import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { untilExit } from './process-control';

/** How Redis is run here: a program of this machine, or a container when there is none and none can be installed. */
export type RedisProgram = { kind: 'program'; path: string } | { kind: 'docker'; path: string };

/**
 * Finds Redis 6.2 or newer (or Valkey, which speaks the same), and installs it with the system's package manager when it is
 * not there, because npm has none.
 *
 * @param say is told what is being installed.
 * @param searchPath where programs are looked for, in the form of PATH.
 * @throws Error with the command to run by hand.
 */
export async function ensureRedis(say: (line: string) => void, searchPath = usualPath()): Promise<RedisProgram> {
  const found = findServer(searchPath);
  if (found !== undefined) return { kind: 'program', path: found };
  for (const manager of PACKAGE_MANAGERS) {
    if (findProgram(manager.program, searchPath) === undefined) continue;
    const installed = await install(manager, searchPath, say);
    if (installed !== undefined) return { kind: 'program', path: installed };
  }
  const docker = findProgram('docker', searchPath);
  if (docker !== undefined && (await succeeds([docker, 'info'], searchPath))) return { kind: 'docker', path: docker };
  throw new Error(`Redis is needed and could not be installed. ${advice(searchPath)}`);
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
/** Where package managers put programs, for a PATH that leaves them out. */
const MORE_DIRECTORIES = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/opt/homebrew/bin'];
const INSTALL_LIMIT_MS = 300_000;

function usualPath(): string {
  return [process.env['PATH'] ?? '', ...MORE_DIRECTORIES].join(delimiter);
}

function findServer(searchPath: string): string | undefined {
  for (const name of SERVERS) {
    const path = findProgram(name, searchPath);
    if (path !== undefined) return path;
  }
  return undefined;
}

function findProgram(name: string, searchPath: string): string | undefined {
  const directories = searchPath.split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The server's path, or undefined when this package manager could not bring it. */
async function install(
  manager: PackageManager,
  searchPath: string,
  say: (line: string) => void,
): Promise<string | undefined> {
  for (const command of manager.commands) {
    const full = manager.needsRoot && process.getuid?.() !== 0 ? ['sudo', '-n', ...command] : command;
    say(`installing Redis: ${full.join(' ')}`);
    if (!(await succeeds([...FOR_ALL_USERS, ...full], searchPath))) return undefined;
  }
  return findServer(searchPath);
}

/** Packages are for all users of the machine, however closed the files of this process are. */
const FOR_ALL_USERS = ['/bin/sh', '-c', 'umask 022; exec "$@"', 'sh'];

async function succeeds([program = '', ...args]: string[], searchPath: string): Promise<boolean> {
  const child = spawn(program, args, {
    stdio: 'ignore',
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, PATH: searchPath, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return (await untilExit(child)).code === 0;
}

function advice(searchPath: string): string {
  const manager = PACKAGE_MANAGERS.find(({ program }) => findProgram(program, searchPath) !== undefined);
  if (manager === undefined) return 'Install redis-server (6.2 or newer), or set REDIS_URL to a server of yours.';
  const commands = manager.commands.map((command) => (manager.needsRoot ? ['sudo', ...command] : command).join(' '));
  return `Run: ${commands.join(' && ')} (or set REDIS_URL to a server of yours).`;
}
