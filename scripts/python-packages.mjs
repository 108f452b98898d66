// Brings packages of Python into a folder of their own in the cache, at the pinned versions. `node python-packages.mjs <requirements>`
// prints the folder of their programs; without a Python to make one of, it exits with 77.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

const CACHE = 'node_modules/.cache/mediagate';
const APT_GET = '/usr/bin/apt-get';
/** Where the system keeps programs, whether PATH names them or not. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const INSTALL_LIMIT_MS = 600_000;
const NOT_RUN = 77;

/**
 * The folder of the packages' programs, installed where they are not there yet.
 *
 * @param {string} requirements the file that names them
 * @returns {string | undefined} undefined where there is no Python that can make it a folder.
 * @throws {Error} with what pip said.
 */
export function bringPythonPackages(requirements) {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = resolve(CACHE, `python-${digest}`);
  if (!existsSync(folder)) {
    const python = findPython() ?? installPython();
    if (python === undefined) return undefined;
    install(python, requirements, folder);
  }
  return join(folder, 'bin');
}

/**
 * Several processes may do so at once: each makes a folder of its own, and the first that is whole gets the name.
 *
 * @param {string} python
 * @param {string} requirements
 * @param {string} folder
 */
function install(python, requirements, folder) {
  mkdirSync(dirname(folder), { recursive: true });
  const made = mkdtempSync(`${folder}.`);
  try {
    run(python, ['-m', 'venv', made]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--requirement', requirements];
    run(join(made, 'bin', 'python'), pip);
    symlinkSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}

/** A Python from 3.10 that can make a virtual environment: on Debian that is a package of its own. */
function findPython() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS];
  const test = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
  return folders
    .map((each) => join(each, 'python3'))
    .find((python) => existsSync(python) && spawnSync(python, ['-c', test]).status === 0);
}

/** Installs only as root, and only on a Debian: nobody is asked for a password. */
function installPython() {
  if (process.getuid?.() !== 0 || !existsSync(APT_GET)) return undefined;
  for (const command of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'python3-venv'],
  ]) {
    // One at a time, as the tests install theirs: `apt-get update` fails beside another.
    const locked = ['--timeout', '240', '/var/lib/apt', APT_GET, '-o', 'DPkg::Lock::Timeout=120'];
    spawnSync('/usr/bin/flock', [...locked, ...command], {
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
      env: {
        ...process.env,
        PATH: `/usr/sbin:/sbin:${SYSTEM_FOLDERS.join(delimiter)}`,
        DEBIAN_FRONTEND: 'noninteractive',
      },
    });
  }
  return findPython();
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: INSTALL_LIMIT_MS });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

if (process.argv[1] === import.meta.filename) {
  const programs = bringPythonPackages(process.argv[2] ?? '');
  if (programs === undefined) process.exitCode = NOT_RUN;
  else process.stdout.write(programs);
}
