import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from '@mediagate/testkit';
import { pythonPrograms } from '@mediagate/testkit/servers';

const SOURCES = join(__dirname, 'collector');
/** Modules are fetched, and some seven hundred packages compiled. */
const BUILD_LIMIT_MS = 900_000;

/**
 * The program of a collector, made of OpenTelemetry's own modules by a Go that pip brings; once, for it is kept. Undefined, and
 * said so, where there is no Python.
 */
export function bringCollector(): string | undefined {
  const programs = pythonPrograms('e2e/traces/requirements.txt');
  if (programs === undefined) return undefined;
  return makeOnce(`otelcol-${digestOfSources()}`, (program) => {
    const { status, stderr } = spawnSync(
      join(programs, 'go'),
      ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s', '-o', program, '.'],
      {
        cwd: SOURCES,
        encoding: 'utf8',
        timeout: BUILD_LIMIT_MS,
        env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '' },
      },
    );
    if (status !== 0) throw new Error(`the collector was not built: ${stderr}`);
  });
}

function digestOfSources(): string {
  const digest = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) digest.update(readFileSync(join(SOURCES, file)));
  return digest.digest('hex').slice(0, 12);
}
