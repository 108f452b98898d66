import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../..');
/** Exit code on a machine without a Python. */
const NOT_RUN = 77;

const brought = new Map<string, string | undefined>();

/**
 * The folder of the programs that pip installs, Python among them. Undefined, and said so, where there is no Python.
 *
 * @param requirements the file, in the checkout, that names the packages.
 */
export function pythonPrograms(requirements: string): string | undefined {
  if (!brought.has(requirements)) brought.set(requirements, bring(requirements));
  return brought.get(requirements);
}

function bring(requirements: string): string | undefined {
  const command = ['scripts/python-packages.mjs', requirements];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  if (status === 0) return stdout;
  if (status !== NOT_RUN || process.env['BARE_MACHINE']) throw new Error(`without ${requirements}: ${stderr}`);
  process.stderr.write('NOT RUN: what pip brings needs Python 3.10 or newer with venv (Debian: python3-venv).\n');
  return undefined;
}
