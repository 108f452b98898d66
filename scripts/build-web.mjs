// Builds the console's page: `services/console/web/dist`, with hashed names and compressed copies of each text.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'services/console/web';
/** The sources of the page; its manifest pins packages. */
const SOURCES = ['src', 'build'];
const FILES = ['index.html', 'package.json', 'vite.config.ts'];
export const WEB_OUTPUT = join(FOLDER, 'dist/index.html');

/** The files whose content decides whether it has to be built again. */
export function webSources() {
  return [...FILES.map((name) => join(FOLDER, name)), ...SOURCES.flatMap((name) => filesUnder(join(FOLDER, name)))];
}

function filesUnder(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.sort();
}

/**
 * @param {(program: string, args: string[]) => Promise<void>} run runs a program to its end
 * @returns {Promise<void>}
 */
export function buildWeb(run) {
  return run(process.execPath, [join(FOLDER, 'node_modules/vite/bin/vite.js'), 'build', FOLDER]);
}

/** For who watches: its output is shown. @type {Parameters<typeof buildWeb>[0]} */
export async function runVisibly(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} failed`);
}
