import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const SOURCES = join(__dirname, 'collector');
/** Modules are fetched, and some seven hundred packages compiled. */
const BUILD_LIMIT_MS = 900_000;

/**
 * The program of a collector, made of OpenTelemetry's own modules by a Go that pip brings; once, for it is kept. Undefined, and
 * said so, where there is no Python.
 */
export function bringCollector(): string | undefined {
  const go = bringGo();
  if (go === undefined) return undefined;
  const program = join(ROOT, 'node_modules/.cache/mediagate', `otelcol-${digestOfSources()}`);
  if (existsSync(program)) return program;
  const { status, stderr } = spawnSync(
    go,
    ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s', '-o', program, '.'],
    {
      cwd: SOURCES,
      encoding: 'utf8',
      timeout: BUILD_LIMIT_MS,
      env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '' },
    },
  );
  if (status !== 0) throw new Error(`the collector was not built: ${stderr}`);
  return program;
}

function bringGo(): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['e2e/traces/bring-go.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  if (stderr !== '' || process.env['BARE_MACHINE']) throw new Error(`no Go: ${stderr}`);
  process.stderr.write('NOT RUN: what pip brings needs Python 3.10 or newer with venv (Debian: python3-venv).\n');
  return undefined;
}

function digestOfSources(): string {
  const digest = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) digest.update(readFileSync(join(SOURCES, file)));
  return digest.digest('hex').slice(0, 12);
}
