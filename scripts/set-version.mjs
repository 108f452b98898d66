// Makes what is unreleased a release: `node scripts/set-version.mjs 0.2.0` (docs/releasing.md).

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const UNRELEASED = '## [Unreleased]';

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write('Usage: node scripts/set-version.mjs <version>, as 0.2.0\n');
  process.exit(2);
}
const { version: current } = JSON.parse(read('package.json'));
for (const manifest of manifests()) replace(manifest, `"version": "${current}"`, `"version": "${version}"`);
replace(
  'deploy/helm/mediagate/Chart.yaml',
  `version: ${current}\nappVersion: ${current}`,
  `version: ${version}\nappVersion: ${version}`,
);
replace('docs/deployment.md', `tag: "${current}"`, `tag: "${version}"`);
replace('CHANGELOG.md', UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${new Date().toISOString().slice(0, 10)}`);

function manifests() {
  const { stdout } = spawnSync('git', ['ls-files', 'package.json', '**/package.json'], { cwd: ROOT, encoding: 'utf8' });
  return stdout.trim().split('\n');
}

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

function replace(path, before, after) {
  const text = read(path);
  if (!text.includes(before)) throw new Error(`${path} has no ${JSON.stringify(before)}`);
  writeFileSync(join(ROOT, path), text.replace(before, after));
}
