import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const APT_GET = '/usr/bin/apt-get';
const INSTALL_LIMIT_MS = 300_000;

/** What a browser needs to run as root, without a screen, and to ask nobody but the page it is sent to. */
export const BROWSER_ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
];

/** The path of a browser, installed from the system's packages where that is possible; undefined when none can be had. */
export function findBrowser(): string | undefined {
  return onPath() ?? (install() ? onPath() : undefined);
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) => existsSync(path));
}

/** As root on a Debian only: nobody is asked for a password in the middle of a test. */
function install(): boolean {
  if (process.getuid?.() !== 0 || !existsSync(APT_GET)) return false;
  process.stderr.write('Installing chromium with apt-get for the browser test.\n');
  return aptGet('update', '-qq') && aptGet('install', '-y', '-qq', '--no-install-recommends', 'chromium');
}

function aptGet(...args: string[]): boolean {
  const { status } = spawnSync(APT_GET, ['-o', 'DPkg::Lock::Timeout=120', ...args], {
    ...{ stdio: 'ignore', timeout: INSTALL_LIMIT_MS },
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
