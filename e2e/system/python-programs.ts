import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

/** Exit code on a machine without a Python. */
const NOT_RUN = 77;

/** Files that say what pip installs, each into a folder of its own. */
const REQUIREMENTS = {
  /** Python with the vendors' clients, a generator of clients, Deno. */
  clients: 'e2e/clients/requirements.txt',
  /** Programs that are built on these clients. */
  programs: 'e2e/programs/python/requirements.txt',
  /** Makers of images and documents. */
  files: 'e2e/vendors/files/requirements.txt',
  /** The C2PA project's reader of manifests. */
  manifests: 'e2e/vendors/manifests/requirements.txt',
};

const brought = new Map<string, string | undefined>();

/** The folder of the programs that pip installs. Undefined, and said so, where there is no Python. */
export function pythonPrograms(name: keyof typeof REQUIREMENTS = 'clients'): string | undefined {
  if (!brought.has(name)) brought.set(name, bring(name));
  return brought.get(name);
}

function bring(name: keyof typeof REQUIREMENTS): string | undefined {
  const command = ['e2e/clients/bring.mjs', name, REQUIREMENTS[name]];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status === 0) return dirname(stdout);
  if (status !== NOT_RUN || process.env['BARE_MACHINE']) throw new Error(`no Python with the ${name}: ${stderr}`);
  process.stderr.write('NOT RUN: what pip brings needs Python 3.10 or newer with venv (Debian: python3-venv).\n');
  return undefined;
}
