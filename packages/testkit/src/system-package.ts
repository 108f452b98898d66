import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const APT_GET = '/usr/bin/apt-get';
/** `apt-get update` waits for no other one: it fails. So all that installs here waits for a lock of its own, on apt's folder. */
const ONE_AT_A_TIME = ['--timeout', '240', '/var/lib/apt'];
const FLOCK = '/usr/bin/flock';
/** Where the system keeps programs, whether PATH names them or not. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const INSTALL_LIMIT_MS = 300_000;
/** Folder with an empty file for each package that this checkout has installed: asking apt-get again takes some three seconds of a core. */
const INSTALLED = join(__dirname, '../../../node_modules/.cache/mediagate/installed');
/** How long the lists of packages are good for. */
const LISTS_MS = 3_600_000;

export interface SystemPackage {
  /** As Debian names it. */
  name: string;
  /** Names of the program that it brings, the first that is found counts. */
  programs: readonly string[];
  /** The test that needs it, for whoever watches the installation. */
  neededBy: string;
}

/** The path of a program, installed from the system's packages where that is possible; undefined when it cannot be had. */
export function findOrInstall(wanted: SystemPackage): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  const everywhere = [...onPath, ...SYSTEM_FOLDERS];
  const found = findIn(existsSync(join(INSTALLED, wanted.name)) ? everywhere : onPath, wanted);
  if (found !== undefined) return found;
  install(wanted);
  return findIn(everywhere, wanted);
}

function findIn(folders: readonly string[], { programs }: SystemPackage): string | undefined {
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) => existsSync(path));
}

/** As root on a Debian only: nobody is asked for a password in the middle of a test. */
function install({ name, neededBy }: SystemPackage): void {
  if (process.getuid?.() !== 0 || !existsSync(APT_GET)) return;
  process.stderr.write(`Installing ${name} with apt-get for ${neededBy}.\n`);
  const fetch = () => aptGet('install', '-y', '-qq', '--no-install-recommends', name);
  if ((areListsNew() && fetch()) || (updateLists() && fetch())) mark(name);
}

/** Every package would ask for the same lists. */
function areListsNew(): boolean {
  const fetched = statSync(join(INSTALLED, LISTS), { throwIfNoEntry: false });
  return fetched !== undefined && Date.now() - fetched.mtimeMs < LISTS_MS;
}

function updateLists(): boolean {
  const isDone = aptGet('update', '-qq');
  if (isDone) mark(LISTS);
  return isDone;
}

/** No package has a name with a capital letter. */
const LISTS = 'Lists';

function mark(name: string): void {
  mkdirSync(INSTALLED, { recursive: true });
  writeFileSync(join(INSTALLED, name), '');
}

function aptGet(...args: string[]): boolean {
  const { status } = spawnSync(FLOCK, [...ONE_AT_A_TIME, APT_GET, '-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: 'ignore',
    timeout: INSTALL_LIMIT_MS,
    // Packages run programs when they are installed, and look for them there.
    env: { ...process.env, PATH: SYSTEM_FOLDERS.join(delimiter), DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
