import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCES = join(__dirname, 'node');
const PROJECT = ['package.json', 'package-lock.json'];
const INSTALL_LIMIT_MS = 300_000;

/** A folder in the cache with the programs of `node`, and what npm installs for them. */
export function bringNodePrograms(): string {
  const digest = createHash('sha256');
  for (const file of PROJECT) digest.update(readFileSync(join(SOURCES, file)));
  const folder = resolve('node_modules/.cache/mediagate', `node-programs-${digest.digest('hex').slice(0, 12)}`);
  if (!existsSync(join(folder, 'complete'))) install(folder);
  for (const file of readdirSync(SOURCES)) copyFileSync(join(SOURCES, file), join(folder, file));
  return folder;
}

function install(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of PROJECT) copyFileSync(join(SOURCES, file), join(folder, file));
  const options = { cwd: folder, timeout: INSTALL_LIMIT_MS, stdio: 'pipe' } as const;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  // Last: a folder that was left half way is made anew.
  writeFileSync(join(folder, 'complete'), '');
}
