import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { STATEMENTS } from '../src/statements';
import { withNote } from '../src/statements/identity/note';

const ROOT = join(__dirname, '../../..');
const STATEMENTS_DIRECTORY = join(__dirname, '../src/statements');
const WRITES = /\b(?:insert into|delete from|(?<!for |do )update(?! of\b| skip\b))\s+(\w+)/gi;

interface Ownership {
  owner: string;
  /** Statements of other owners that write the table too. */
  others: string[];
}

/** The table "Who owns which table" of docs/ARCHITECTURE.md. */
function documented(): Map<string, Ownership> {
  const text = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  const [, section = ''] = /## Who owns which table\n([\s\S]*?)\n## /.exec(text) ?? [];
  const rows = [...section.matchAll(/^\| (`.*?`) \| `(\w+)` \|\s*(.*?)\s*\|$/gm)];
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  return new Map(
    rows.flatMap(([, tables, owner = '', others]) =>
      namesIn(tables).map((table) => [table, { owner, others: namesIn(others).sort() }] as const),
    ),
  );
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The folder of `statements/` in which each statement stands. */
function ownersOfStatements(): Map<string, string> {
  return new Map(
    filesBelow(STATEMENTS_DIRECTORY).flatMap((file) => {
      const names = readFileSync(file, 'utf8').matchAll(/^(?:export )?const (\w+)(?:: | = )/gm);
      return [...names].map(([, name = '']) => [name, relative(STATEMENTS_DIRECTORY, dirname(file))] as const);
    }),
  );
}

const withoutComments = (sql: string) => sql.replaceAll(/--.*$/gm, '');
const FUNCTIONS = filesBelow(join(ROOT, 'prisma/functions')).map((file) => {
  return { call: `${basename(file, '.sql')}(`, body: withoutComments(readFileSync(file, 'utf8')) };
});

/** Reads the statement and the bodies of the functions that it calls, by whatever way. */
function tablesWrittenBy(text: string): string[] {
  let whole = withoutComments(text);
  let left = FUNCTIONS;
  for (let called = left; called.length > 0; ) {
    called = left.filter(({ call }) => whole.includes(call));
    left = left.filter((one) => !called.includes(one));
    whole = [whole, ...called.map(({ body }) => body)].join('\n');
  }
  return [...new Set([...whole.matchAll(WRITES)].map(([, table = '']) => table.toLowerCase()))];
}

/** Whether its entry in the audit log is that of `withNote`. */
function isNoted(statement: string): boolean {
  const { [statement]: noted } = STATEMENTS as Record<string, { text: string }>;
  return noted?.text.includes(NOTE) ?? false;
}

/** The text of `withNote` up to the condition, which is each statement's own. */
const NOTE = withNote('changed as (select)').replace(/^.*?(?=,\nnoted as)|(?<=\n {2}where ).*$/gs, '');

describe('who owns which table', () => {
  it('is as docs/ARCHITECTURE.md says: a statement writes the tables of its owner, or is named there', () => {
    const owners = ownersOfStatements();
    const found = new Map<string, Set<string>>();
    for (const [name, { text }] of Object.entries(STATEMENTS)) {
      for (const table of tablesWrittenBy(text)) found.set(table, (found.get(table) ?? new Set()).add(name));
    }
    const tables = documented();
    expect([...found.keys()].sort()).toEqual([...tables.keys()].sort());
    for (const [table, { owner, others }] of tables) {
      const foreign = [...(found.get(table) ?? [])].filter((name) => owners.get(name) !== owner);
      const named = others.includes('withNote') ? foreign.filter((name) => !isNoted(name)) : foreign;
      expect([table, named.sort()]).toEqual([table, others.filter((name) => name !== 'withNote')]);
    }
  });

  it('moves money by raw queries of Prisma, and only money: they are the statements that write the ledger', () => {
    const statements = Object.entries<{ text: string; byPrisma?: true }>(STATEMENTS);
    const namesOf = (found: typeof statements) => found.map(([name]) => name).sort();
    const writers = statements.filter(([, { text }]) => tablesWrittenBy(text).includes('ledger_entries'));
    expect(namesOf(writers)).toEqual([
      'finishTasks',
      'fundAccount',
      'holdTasks',
      'pruneBooks',
      'refundTask',
      'submitTasks',
    ]);
    expect(namesOf(statements.filter(([, { byPrisma }]) => byPrisma))).toEqual(namesOf(writers));
  });

  it('holds for all of them: no table is written by model', () => {
    const writes = /\.(\w+)\.(?:create|update|upsert|delete)\w*\(\{/g;
    const found = globSync('{packages,services,tools}/*/src/**/*.ts', { cwd: ROOT })
      .filter((file) => !/\.test\.ts$|\/generated\//.test(file))
      .flatMap((file) =>
        [...readFileSync(join(ROOT, file), 'utf8').matchAll(writes)].map(
          ([, model = '']) => `${file.split('/src/')[0]}: ${model}`,
        ),
      );
    expect([...new Set(found)].sort()).toEqual([]);
  });
});
