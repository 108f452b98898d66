import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from '@mediagate/testkit';

const SOURCES = join(__dirname, 'node');
const INSTALL_LIMIT_MS = 300_000;

/** A folder in the cache with the programs of `node`, and what npm installs for them. */
export function bringNodePrograms(): string {
  const digest = createHash('sha256');
  for (const file of readdirSync(SOURCES).sort()) digest.update(readFileSync(join(SOURCES, file)));
  return makeOnce(`node-programs-${digest.digest('hex').slice(0, 12)}`, (folder) => {
    cpSync(SOURCES, folder, { recursive: true });
    const options = { cwd: folder, timeout: INSTALL_LIMIT_MS, stdio: 'pipe' } as const;
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  });
}
