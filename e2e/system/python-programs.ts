import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

/** Exit code on a machine without a Python. */
const NOT_RUN = 77;

let programs: string | undefined | null = null;

/**
 * The folder of the programs that e2e/clients installs by pip: Python with the vendors' clients, a generator of clients, Deno.
 * Undefined, and said so, where there is no Python.
 */
export function pythonPrograms(): string | undefined {
  if (programs === null) programs = bring();
  return programs;
}

function bring(): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['e2e/clients/bring.mjs'], { encoding: 'utf8' });
  if (status === 0) return dirname(stdout);
  if (status !== NOT_RUN || process.env['BARE_MACHINE']) throw new Error(`no Python with the clients: ${stderr}`);
  process.stderr.write('NOT RUN: what pip brings needs Python 3.10 or newer with venv (Debian: python3-venv).\n');
  return undefined;
}
