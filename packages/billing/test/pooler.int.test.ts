import { type Database, openDatabase, warnOfRoleSettings } from '@mediagate/database';
import { findPooler, keepsNames, openPooler, PATIENCE, type Pooler, prismaOf, runSql } from '@mediagate/testkit';
import { audit, createFinisher, createSubmitter, readAccountBalance, taskError } from '../src';
import { type Books, fundedKey, openBooks, submission } from './books';

/** At the database, for 16 connections of the service. */
const SESSIONS = 2;
const CONNECTIONS = 16;
const ROUNDS = 20;

const program = findPooler();
if (program === undefined) {
  process.stderr.write(
    'SKIPPED: no pgbouncer is here and none could be installed, so money was not moved through one.\n',
  );
}
const describeWithPooler = program === undefined ? describe.skip : describe;
/** The words of `?pgbouncer` that the program is good for: Debian's, of before 1.21, keeps no names. */
const WORDS = program !== undefined && keepsNames(program) ? ['true', 'named'] : ['true'];

describeWithPooler.each(WORDS)('through PgBouncer in transaction mode, ?pgbouncer=%s', (word) => {
  let books: Books;
  let pooler: Pooler;
  let database: Database;

  function open(url: string): Database {
    return openDatabase({ url, poolSize: CONNECTIONS, ...PATIENCE, applicationName: 'test' });
  }

  beforeAll(async () => {
    books = await openBooks();
    await giveRoleItsSettings(books);
    pooler = await openPooler(books.databaseUrl, { program: program as string, sessions: SESSIONS });
    database = open(`${pooler.url}?pgbouncer=${word}`);
  });
  afterAll(async () => {
    await database.close();
    await pooler.close();
    await books.close();
  });

  it('statements and models work whichever session runs them, and the books are right', async () => {
    const payer = await fundedKey(database, 1_000_000n);
    const [submit, finish] = [createSubmitter(database), createFinisher(database)];
    for (let round = 0; round < ROUNDS; round += 1) {
      const items = Array.from({ length: CONNECTIONS }, () => submission(payer, 100n));
      const outcomes = await Promise.all(items.map((item) => submit(item)));
      expect(outcomes).toEqual(items.map(() => ({ kind: 'accepted' })));
      const found = await Promise.all(
        items.map(({ taskId: id }) => database.task.findUniqueOrThrow({ where: { id } })),
      );
      expect(found.map(({ status }) => status)).toEqual(items.map(() => 'submitted'));
      const error = taskError('timeout');
      const ended = items.map(({ taskId }) =>
        finish({ taskId, accountId: payer.accountId, fence: 'any', outcome: { kind: 'failed', error } }),
      );
      expect((await Promise.all(ended)).filter(({ won }) => won)).toHaveLength(CONNECTIONS);
    }
    expect(await readAccountBalance(database, payer.accountId)).toMatchObject({ remainNano: 1_000_000n, usedNano: 0n });
    expect(await audit(database)).toEqual([]);
  });

  it('connections share sessions, in which nothing stays prepared unless the pooler keeps names', async () => {
    const seen = await Promise.all(
      Array.from({ length: 200 }, () =>
        runSql<{ pid: number; prepared: number }>(
          database,
          'select pg_backend_pid() as pid, (select count(*)::int from pg_prepared_statements) as prepared',
        ),
      ),
    );
    const rows = seen.flat();
    expect(new Set(rows.map(({ pid }) => pid)).size).toBeLessThanOrEqual(SESSIONS);
    expect(rows.some(({ prepared }) => prepared > 0)).toBe(word === 'named');
  });

  it('a URL that does not name the pooler is refused, because connections bring settings', async () => {
    const unnamed = open(pooler.url);
    await expect(unnamed.ping()).rejects.toThrow();
    await unnamed.close();
  });
});

/** In this database alone: other tests use the same role. Asked as through a pooler, for a session of its own has settings of its own. */
async function giveRoleItsSettings({ databaseUrl }: Books): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const url = `${databaseUrl}?pgbouncer=true`;
  const database = openDatabase({ url, poolSize: 1, ...PATIENCE, applicationName: 'test' });
  let commands: string[] = [];
  const warn = (_: string, { detail = '' }) => {
    commands = detail.match(/ALTER ROLE [^;]+;/g) ?? [];
  };
  await warnOfRoleSettings({ database, url, logger: { warn } });
  expect(commands).not.toEqual([]);
  for (const command of commands) {
    await prismaOf(database).$executeRawUnsafe(command.replace(' SET ', ` IN DATABASE ${name} SET `));
  }
  await database.close();
}
