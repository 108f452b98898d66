import { MIGRATIONS_DIRECTORY, readMigrations } from '../src/migrate';
import { blockingIn } from './blocking-statements';

it('no migration keeps others waiting for long', async () => {
  const found = (await readMigrations(MIGRATIONS_DIRECTORY)).flatMap(({ name, sql }) => {
    const blocking = blockingIn(sql);
    return blocking.length > 0 ? [[name, blocking]] : [];
  });
  expect(found).toEqual([]);
});

describe('what keeps others waiting', () => {
  it.each([
    ['CREATE INDEX "i" ON "tasks" ("id");'],
    ['CREATE UNIQUE INDEX IF NOT EXISTS i ON tasks (id) WHERE status = 1;'],
    ['-- Why.\nALTER TABLE "tasks"\n  ADD COLUMN "a" INT,\n  ADD CONSTRAINT "c" CHECK (a > 0);'],
    ['ALTER TABLE tasks ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES accounts (id);'],
    ['ALTER TABLE tasks ADD CONSTRAINT c UNIQUE (a);'],
    ['ALTER TABLE tasks ALTER COLUMN a SET NOT NULL;'],
    ['ALTER TABLE tasks ALTER COLUMN a TYPE bigint;'],
    ['ALTER TABLE tasks ADD COLUMN a BIGSERIAL;'],
    ['ALTER TABLE tasks ADD COLUMN a TEXT DEFAULT gen_random_uuid();'],
    ['UPDATE tasks SET a = 1;'],
    ['DELETE FROM "ledger_entries" WHERE id < 3;'],
    ['LOCK TABLE tasks IN EXCLUSIVE MODE;'],
    ['VACUUM FULL tasks;'],
    ['REINDEX TABLE tasks;'],
    ['ALTER TABLE tasks ADD CONSTRAINT c CHECK (a > 0) NOT VALID; ALTER TABLE tasks VALIDATE CONSTRAINT c;'],
  ])('%s', (sql) => {
    expect(blockingIn(sql)).toHaveLength(1);
  });

  it('is nothing of tables that the migration makes, nor what takes its lock for a moment, nor bodies of functions', () => {
    expect(
      blockingIn(`
        CREATE TABLE "fresh" ("id" INT); CREATE INDEX "i" ON "fresh" ("id"); ALTER TABLE "fresh" ADD CONSTRAINT "c" CHECK (id > 0);
        CREATE INDEX CONCURRENTLY IF NOT EXISTS "j" ON "tasks" ("id");
        ALTER TABLE "tasks" ADD COLUMN "a" INT NOT NULL DEFAULT 0, ADD CONSTRAINT "c" CHECK (a > 0) NOT VALID;
        ALTER TABLE "ledger_entries" VALIDATE CONSTRAINT "added_before";
        ALTER TABLE "tasks" SET (autovacuum_vacuum_scale_factor = 0.02);
        CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE tasks SET a = 1; DELETE FROM tasks $$;
        DROP INDEX "k"; UPDATE "settings_version" SET version = 1;`),
    ).toEqual([]);
  });
});
