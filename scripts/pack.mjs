// Has each service's modules in one file beside its main file, so that it starts fast (docs/adr/0096). build.mjs removes what is
// no longer true; a service without a pack starts as well, later.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { mainFiles, packOf } = createRequire(import.meta.url)('./pack-modules.cjs');

/** Run by the Node that services run on. Costs three seconds of CPU where a pack is missing. */
export function packServices() {
  if (mainFiles().every((main) => existsSync(packOf(main)))) return;
  const { status, error } = spawnSync(process.execPath, [join(ROOT, 'scripts/pack-modules.cjs')], { stdio: 'inherit' });
  if (status !== 0)
    process.stderr.write(`mediagate: services start slower, they could not be packed: ${error ?? status}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packServices();
