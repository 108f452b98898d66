import { holdTransaction, type OpenTestDatabase, openTestDatabase, prismaOf, runSql, until } from '@mediagate/testkit';
import { Registry } from 'prom-client';
import {
  type Database,
  DatabaseConflictError,
  DatabaseUnavailableError,
  openDatabase,
  sqlState,
  watchDatabase,
} from '../src';
import { checkConnections } from '../src/open-own-database';

const OPTIONS = { poolSize: 2, statementTimeoutMs: 60_000, applicationName: 'door-test' };

let home: OpenTestDatabase;
let database: Database;

beforeAll(async () => {
  home = await openTestDatabase(2);
  ({ database } = home);
});

afterAll(() => home.close());

const account = (id: string) => ({ data: { id, name: id, webhookSecret: 'unused' } });
/** A raw query of Prisma. */
const fund = (on: Database, accountId: string, amountNano = 2n ** 62n) =>
  on.fundAccount({ accountId, amountNano, kind: 'top_up', reference: null, note: null }, { actor: 'cli:test' });

it('moves any amount of money exactly by a raw query', async () => {
  await database.account.create(account('acct_rich'));
  expect(await fund(database, 'acct_rich')).toMatchObject({ row: { after: { entry: { amount: `${2n ** 62n}` } } } });
  const [{ toppedUpNano } = {}] = await database.account.findMany({ where: { id: 'acct_rich' } });
  expect(toppedUpNano).toBe(2n ** 62n);
});

it('begins a raw query at its call, whether or not somebody awaits it', async () => {
  await database.account.create(account('acct_unawaited'));
  void fund(database, 'acct_unawaited');
  const funded = { id: 'acct_unawaited', toppedUpNano: { gt: 0 } };
  await until(async () => (await database.account.count({ where: funded })) === 1, 'the account is funded');
});

it('runs models and statements on the same connections, and closes them together', async () => {
  const own = openDatabase({ url: home.databaseUrl, ...OPTIONS, poolSize: 1, applicationName: 'one-pool' });
  await Promise.all([own.account.count(), own.findMissingRoleSettings(), own.ping()]);
  const sessions = () =>
    prismaOf(database).$queryRaw<object[]>`select pid from pg_stat_activity where application_name = 'one-pool'`;
  expect(await sessions()).toHaveLength(1);
  await own.close();
  await until(async () => (await sessions()).length === 0, 'the connection is gone');
});

it('says how far the clock of the process is ahead of the database’s, once it was asked', async () => {
  const own = openDatabase({ url: home.databaseUrl, ...OPTIONS, poolSize: 1 });
  const register = new Registry();
  watchDatabase(register, own);
  const ahead = async () => {
    const [, seconds] = /^mediagate_clock_ahead_seconds (\S+)$/m.exec(await register.metrics()) ?? [];
    return seconds === undefined ? undefined : Number(seconds);
  };
  expect(await ahead()).toBeUndefined();
  await own.ping();
  expect(Math.abs((await ahead()) ?? Number.NaN)).toBeLessThan(2);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
  await own.ping().finally(() => clock.mockRestore());
  expect(Math.abs(((await ahead()) ?? Number.NaN) - 60)).toBeLessThan(2);
  await own.close();
});

it('prepares a statement under the name of its method and plans it once, whoever runs it', async () => {
  const own = openDatabase({ url: home.databaseUrl, ...OPTIONS, poolSize: 1 });
  for (let round = 0; round < 10; round += 1) {
    await own.findMissingRoleSettings();
    await fund(own, 'acct_unknown');
    await own.account.count();
  }
  const prepared = await prismaOf(own).$queryRaw`
    select name, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements order by name`;
  await own.close();
  expect(prepared).toEqual([
    { name: 'findMissingRoleSettings', generic: 10, custom: 0 },
    { name: 'fundAccount', generic: 10, custom: 0 },
  ]);
});

it('reads and writes the same times by model and by statement, whatever zone the server is in', async () => {
  const name = new URL(home.databaseUrl).pathname.slice(1);
  await runSql(database, `ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`);
  const own = openDatabase({ url: home.databaseUrl, ...OPTIONS });
  const createdAt = new Date('2026-01-02T03:04:05.678Z');
  await own.account.create({ data: { id: 'acct_tokyo', name: 'Tokyo', webhookSecret: 'unused', createdAt } });
  await own.apiKey.create({
    data: { id: 'key_tokyo', accountId: 'acct_tokyo', secretHash: new Uint8Array(32), lastFour: 'abcd', createdAt },
  });
  expect(await own.apiKey.findUnique({ where: { id: 'key_tokyo' } })).toMatchObject({ createdAt });
  expect(await own.findKeys(['key_tokyo'])).toMatchObject([{ createdAt }]);
  await own.close();
  await runSql(database, `ALTER DATABASE ${name} RESET timezone`);
});

describe('what goes wrong has the same three classes by model, by statement and by raw query', () => {
  it('unavailable: no server', async () => {
    const away = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/nothing', ...OPTIONS });
    await expect(away.account.count()).rejects.toThrow(DatabaseUnavailableError);
    await expect(away.findMissingRoleSettings()).rejects.toThrow(DatabaseUnavailableError);
    await expect(fund(away, 'acct')).rejects.toThrow(DatabaseUnavailableError);
    await expect(away.ping()).rejects.toThrow(DatabaseUnavailableError);
    await away.close();
  });

  it('unavailable: no connection free in time', async () => {
    const own = openDatabase({ url: home.databaseUrl, ...OPTIONS, poolSize: 1 });
    await holdTransaction(own, async () => {
      // Together, because the transaction that holds the connection ends after five seconds.
      await Promise.all([
        expect(own.account.count()).rejects.toThrow(DatabaseUnavailableError),
        expect(own.findMissingRoleSettings()).rejects.toThrow(DatabaseUnavailableError),
        expect(fund(own, 'acct')).rejects.toThrow(DatabaseUnavailableError),
      ]);
    });
    await own.close();
  });

  it('unavailable: longer than a statement may take; conflict: longer than it may wait for a lock', async () => {
    await database.account.create(account('acct_locked'));
    const hurried = openDatabase({ url: home.databaseUrl, ...OPTIONS, statementTimeoutMs: 100 });
    const patient = openDatabase({ url: home.databaseUrl, ...OPTIONS });
    const rename = { where: { id: 'acct_locked' }, data: { name: 'new' } };
    await holdTransaction(database, async (transaction) => {
      await transaction.account.update(rename);
      await expect(hurried.account.update(rename)).rejects.toThrow(DatabaseUnavailableError);
      await expect(patient.account.update(rename)).rejects.toThrow(DatabaseConflictError);
      await expect(fund(hurried, 'acct_locked')).rejects.toThrow(DatabaseUnavailableError);
      await expect(fund(patient, 'acct_locked')).rejects.toThrow(DatabaseConflictError);
    });
    await Promise.all([hurried.close(), patient.close()]);
  });

  it('neither: what will not go away keeps its code', async () => {
    await database.account.create(account('acct_twice'));
    const error: unknown = await database.account.create(account('acct_twice')).catch((reason: unknown) => reason);
    expect(sqlState(error)).toBe('23505');
    const beyond: unknown = await fund(database, 'acct_twice', 2n ** 63n).catch((reason: unknown) => reason);
    expect(sqlState(beyond)).toBe('22003');
  });

  it('says what is wrong, without lines of source and values, wherever it runs', async () => {
    const away = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/nothing', ...OPTIONS });
    const error: unknown = await away.account.create(account('acct_secret')).catch((reason: unknown) => reason);
    const { message } = (error as DatabaseUnavailableError).cause as Error;
    expect(message).toContain('127.0.0.1');
    expect(message).not.toMatch(/acct_secret|database.int.test|→/);
    await away.close();
  });

  it('unavailable: the session was ended, and the next one serves', async () => {
    const own = openDatabase({ url: home.databaseUrl, ...OPTIONS, poolSize: 1, applicationName: 'to-be-ended' });
    await database.account.create(account('acct_ended'));
    const waiting = await holdTransaction(database, async (transaction) => {
      await transaction.account.update({ where: { id: 'acct_ended' }, data: { name: 'held' } });
      const funding = fund(own, 'acct_ended').catch((reason: unknown) => reason);
      const end = () => prismaOf(database).$queryRaw<object[]>`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'to-be-ended' and wait_event_type = 'Lock'`;
      await until(async () => (await end()).length > 0, 'the statement waits for the lock');
      return funding;
    });
    expect(waiting).toBeInstanceOf(DatabaseUnavailableError);
    expect(await fund(own, 'acct_ended', 5n)).toMatchObject({ kind: 'changed' });
    await own.close();
  });
});

describe('the check of connections', () => {
  const ACCEPTED = 20;
  const name = () => new URL(home.databaseUrl).pathname.slice(1);
  beforeAll(() => runSql(database, `ALTER DATABASE ${name()} CONNECTION LIMIT ${ACCEPTED}`));
  afterAll(() => runSql(database, `ALTER DATABASE ${name()} CONNECTION LIMIT -1`));

  async function warnings({ poolSize = 10, planned, accepted, url = home.databaseUrl }: ConnectionCase) {
    const own = openDatabase({ url, ...OPTIONS });
    const seen: string[] = [];
    const logger = { warn: (event: string, { detail = '' }) => void seen.push(`${event} ${detail}`.trim()) };
    const config = { DATABASE_URL: url, DATABASE_CONNECTIONS: planned, DATABASE_MAX_CONNECTIONS: accepted };
    try {
      await checkConnections({ database: own, config, poolSize, logger });
      return seen;
    } finally {
      await own.close();
    }
  }
  interface ConnectionCase {
    poolSize?: number;
    planned?: number | undefined;
    accepted?: number | undefined;
    url?: string;
  }

  it('refuses a pool that the database would not accept, and takes one that it does', async () => {
    await expect(warnings({ poolSize: ACCEPTED + 1 })).rejects.toThrow(
      'open 21 connections to the database, which accepts 20',
    );
    expect(await warnings({ poolSize: ACCEPTED, planned: ACCEPTED })).toEqual([]);
  });

  it('warns where all processes together may open more than are accepted', async () => {
    const [warning, ...others] = await warnings({ planned: ACCEPTED + 1 });
    expect(warning).toMatch(/^database\.connections_short .*open 21 connections .* 20 are accepted/);
    expect(others).toEqual([]);
  });

  it('goes by what was said of a pooler, which cannot be asked', async () => {
    const url = `${home.databaseUrl}?pgbouncer=true`;
    expect(await warnings({ url, poolSize: ACCEPTED + 1 })).toEqual([]);
    await expect(warnings({ url, accepted: 5 })).rejects.toThrow('which accepts 5');
  });

  it('reports that it could not look where the database is away, and goes on', async () => {
    const url = 'postgresql://nobody@127.0.0.1:1/nothing';
    expect(await warnings({ url })).toEqual(['database.connections_not_checked']);
  });

  it('counts on what PostgreSQL itself keeps for superusers', async () => {
    await runSql(database, `ALTER DATABASE ${name()} CONNECTION LIMIT -1`);
    const [setting] = await prismaOf(database).$queryRaw<{ accepted: number }[]>`
      select current_setting('max_connections')::int - 3 as accepted`;
    expect(await database.readServer()).toMatchObject([setting]);
  });
});
