// Generates the Prisma client. The generator never touches a database, yet Prisma's command line insists on an engine
// binary that it would download: any existing executable satisfies it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const stub = ['/bin/true', '/usr/bin/true'].find((path) => existsSync(path)) ?? process.execPath;
const result = spawnSync('node_modules/.bin/prisma', ['generate', '--schema', 'prisma/schema.prisma'], {
  stdio: ['ignore', 'pipe', 'pipe'],
  encoding: 'utf8',
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: stub, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
});
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`);
  process.exit(result.status ?? 1);
}
