/** Statements that lock out reads or writes of a table for as long as they read or write all of it. */
const BLOCKING: readonly [what: string, pattern: RegExp][] = [
  ['builds an index without CONCURRENTLY', /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[^;]*? ON "?(?<table>\w+)/],
  ['rebuilds an index', /^REINDEX (?!(?:INDEX|TABLE) CONCURRENTLY)(?:INDEX|TABLE) "?(?<table>\w+)/],
  ['rewrites a table', /^(?:VACUUM FULL|CLUSTER) "?(?<table>\w+)/],
  ['locks a table', /^LOCK (?:TABLE )?"?(?<table>\w+)/],
  [
    'checks all rows: add NOT VALID, and validate in another migration',
    alters('ADD CONSTRAINT "?\\w+"? (?:CHECK|FOREIGN KEY)(?![^;]*NOT VALID)'),
  ],
  [
    'builds an index: add the constraint USING INDEX',
    alters('ADD (?:CONSTRAINT "?\\w+"? )?(?:PRIMARY KEY|UNIQUE)(?! USING INDEX)'),
  ],
  ['reads all rows: validate a CHECK first', alters('ALTER COLUMN "?\\w+"? SET NOT NULL')],
  ['rewrites a table', alters('ALTER COLUMN "?\\w+"? (?:SET DATA )?TYPE')],
  [
    'rewrites a table',
    alters('ADD COLUMN[^,;]*(?:SERIAL|GENERATED|IDENTITY|DEFAULT (?:gen_random_uuid|random|clock_timestamp|nextval))'),
  ],
  ['moves a table', alters('SET (?:TABLESPACE|LOGGED|UNLOGGED)')],
];

/** Statements that write each row of a table that grows with tasks, in one transaction. */
const WRITES_ALL = /^(?:UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?) "?(?<table>\w+)/;
const GROWING = new Set([
  'tasks',
  'task_attempts',
  'task_labels',
  'reservations',
  'ledger_entries',
  'webhook_deliveries',
  'webhook_attempts',
  'idempotency_keys',
  'media_objects',
  'audit_log',
]);

function alters(what: string): RegExp {
  return new RegExp(`^ALTER TABLE (?:ONLY )?"?(?<table>\\w+)"?[^;]*${what}`);
}

/** Lists, table by table, how a migration keeps others waiting for long. Nobody waits for a table that it makes itself. */
export function blockingIn(migration: string): string[] {
  const statements = statementsOf(migration);
  const made = new Set(statements.flatMap((text) => /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/.exec(text)?.[1] ?? []));
  const found = statements.flatMap((text) => {
    const hits = BLOCKING.flatMap(([what, pattern]) => {
      const table = pattern.exec(text)?.groups?.['table'];
      return table === undefined || made.has(table) ? [] : [`${table}: ${what}`];
    });
    const written = WRITES_ALL.exec(text)?.groups?.['table'] ?? '';
    return GROWING.has(written) && !made.has(written) ? [...hits, `${written}: writes all rows`] : hits;
  });
  return [...found, ...validatedAtOnce(statements)];
}

/** Lists constraints validated in the transaction that adds them: the lock of adding lasts as long as the check. */
function validatedAtOnce(statements: readonly string[]): string[] {
  const added = new Set(statements.flatMap((text) => /ADD CONSTRAINT "?(\w+)[^;]*NOT VALID/.exec(text)?.[1] ?? []));
  return statements.flatMap((text) => {
    const [, table, name = ''] = /^ALTER TABLE "?(\w+)"? VALIDATE CONSTRAINT "?(\w+)/.exec(text) ?? [];
    return added.has(name) ? [`${table}: validates what it adds`] : [];
  });
}

/** Splits SQL into statements without comments and bodies of functions, each on one line. */
function statementsOf(sql: string): string[] {
  const plain = sql.replaceAll(/--.*$/gm, '').replaceAll(/\$\$[\s\S]*?\$\$/g, '$$$$');
  return plain.split(';').map((text) => text.trim().replaceAll(/\s+/g, ' '));
}
