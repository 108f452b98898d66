// `npm run make-migration -- <name>` (by scripts/run.sh): writes the migration that leads from the migrations there are to what
// prisma/schema.prisma and prisma/functions say; without a name it prints the SQL. It replays the migrations in databases of
// its own, on DATABASE_URL's server or on one that it starts for the moment. What Prisma's language cannot say (CHECK
// constraints, triggers, partial indexes) is then added to the file by hand.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './register-typescript.cjs';

const name = process.argv[2];
const fromDatabase = createRequire(new URL('../packages/testkit/package.json', import.meta.url));
const { diffFunctions, diffSchema } = fromDatabase('@mediagate/database/diff');
const { freePort, startPostgres } = fromDatabase('@mediagate/testkit/servers');

const sql = await withServer(diffAll);
if (sql === '') {
  process.stderr.write('The migrations agree with prisma/schema.prisma and prisma/functions.\n');
} else if (name === undefined) {
  process.stdout.write(sql);
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join('prisma/migrations', `${stamp}_${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'migration.sql'), sql);
  process.stdout.write(`${folder}/migration.sql\n`);
}

async function diffAll(databaseUrl) {
  const schemaSql = await diffSchema(databaseUrl);
  const functionsSql = await diffFunctions(databaseUrl, { schemaSql });
  return [schemaSql, functionsSql].filter((part) => part !== '').join('\n');
}

async function withServer(work) {
  const given = process.env.DATABASE_URL;
  if (given) return work(given);
  const directory = mkdtempSync(join(tmpdir(), 'mediagate-migration-'));
  // The user that root runs PostgreSQL as must pass.
  chmodSync(directory, 0o755);
  try {
    const server = await startPostgres({
      directory: join(directory, 'postgres'),
      port: await freePort(),
      durable: false,
    });
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
