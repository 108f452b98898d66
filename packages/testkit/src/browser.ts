import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const APT_GET = '/usr/bin/apt-get';
/** Where the system keeps programs, whether PATH names them or not. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const INSTALL_LIMIT_MS = 300_000;

/** What a browser needs to run as root, without a screen, and to ask nobody but the page it is sent to. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
];

/** The path of a browser, installed from the system's packages where that is possible; undefined when none can be had. */
export function findBrowser(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  const found = findIn(onPath);
  if (found !== undefined) return found;
  install();
  return findIn([...onPath, ...SYSTEM_FOLDERS]);
}

function findIn(folders: readonly string[]): string | undefined {
  return PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) => existsSync(path));
}

/** As root on a Debian only: nobody is asked for a password in the middle of a test. */
function install(): void {
  if (process.getuid?.() !== 0 || !existsSync(APT_GET)) return;
  process.stderr.write('Installing chromium with apt-get for the browser test.\n');
  if (aptGet('update', '-qq')) aptGet('install', '-y', '-qq', '--no-install-recommends', 'chromium');
}

function aptGet(...args: string[]): boolean {
  const { status } = spawnSync(APT_GET, ['-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: 'ignore',
    timeout: INSTALL_LIMIT_MS,
    // What packages run when they are installed is looked for there.
    env: { ...process.env, PATH: SYSTEM_FOLDERS.join(delimiter), DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
