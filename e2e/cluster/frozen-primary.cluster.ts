import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { audit } from '@mediagate/billing';
import { type Database, openDatabase } from '@mediagate/database';
import { findPooler, openPooler, type Pooler, runSql, testRedisUrl, until } from '@mediagate/testkit';
import { type Caller, createCaller } from '../system/caller';
import { type System, type SystemAccount, startSystem } from '../system/start-system';
import { type PostgresPair, startPostgresPair } from './servers/postgres-pair';

/* A primary that is still there, holds its connections open, and answers nothing: no error tells anybody that it is away. */

const SERVICES = ['api', 'image', 'webhook-delivery', 'reconciler'] as const;
const BALANCE_NANO = 1_000_000_000_000n;
const POOLER_SESSIONS = 40;
const EVERY_MS = 200;
const IMAGE = { model: 'imagegen-2.5-flare', quality: 'low' };
/** Tasks that are accepted before, and after, what happens. */
const BESIDE = 10;
/** So many calls have ended without the database: it was away for longer than a lease of a worker lasts. */
const REFUSED = 25;

const program = findPooler();
if (program === undefined) process.stderr.write('NOT RUN: a frozen primary needs PgBouncer.\n');

interface Answered {
  prompt: string;
  /** Undefined: the connection broke. */
  status: number | undefined;
  taskId: string | undefined;
}

(program === undefined ? describe.skip : describe)('a primary that freezes under load', () => {
  let directory: string;
  let postgres: PostgresPair;
  let pooler: Pooler;
  let system: System<(typeof SERVICES)[number]>;
  let account: SystemAccount;
  let caller: Caller;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mediagate-frozen-'));
    await chmod(directory, 0o755);
    postgres = await startPostgresPair(join(directory, 'postgres'));
    pooler = await openPooler(postgres.url(), { program: program as string, sessions: POOLER_SESSIONS });
    const servers = {
      databaseUrl: postgres.url(),
      servicesUrl: `${pooler.url}?pgbouncer=true`,
      redisUrl: testRedisUrl(),
    };
    system = await startSystem({ services: SERVICES, servers, env: { SIM_IMAGE_MS: '300', LEASE_SECONDS: '6' } });
    account = await system.account(BALANCE_NANO);
    caller = createCaller(system.baseUrl, account.key);
  }, 300_000);
  afterAll(async () => {
    await system?.stop();
    await pooler?.close();
    await postgres?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }, 120_000);

  /** Images at a steady pace, each with a callback, whatever is answered. */
  function startLoad(name: string) {
    const webhook = system.simulator.receiverUrl(name);
    const answered: Answered[] = [];
    const calls: Promise<unknown>[] = [];
    let isOn = true;
    const send = async (prompt: string) => {
      const body = { ...IMAGE, prompt, webhook };
      const answer = await caller.post('/v1/images/generations', body).catch(() => undefined);
      answered.push({ prompt, status: answer?.status, taskId: answer?.body?.data?.[0]?.task_id });
    };
    const sending = (async () => {
      for (let index = 0; isOn; index += 1) {
        calls.push(send(`${name} ${index} of the load`));
        await delay(EVERY_MS);
      }
    })();
    const accepted = () => answered.filter(({ taskId }) => taskId !== undefined);
    return {
      accepted,
      refused: () => answered.filter(({ taskId }) => taskId === undefined),
      /** Resolves once so many more are accepted. */
      async more(count: number): Promise<void> {
        const before = accepted().length;
        await until(() => accepted().length >= before + count, 'more is accepted');
      },
      /** Ends once every call has an answer. */
      async stop(): Promise<void> {
        isOn = false;
        await sending;
        await Promise.all(calls);
      },
    };
  }

  async function isReady(): Promise<boolean> {
    const { status } = await fetch(system.services.api.metricsUrl.replace('/metrics', '/readyz'));
    return status === 200;
  }

  async function onBooks<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
    const options = { poolSize: 2, statementTimeoutMs: 60_000, applicationName: 'cluster test' };
    const database = openDatabase({ url, ...options });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /** Each accepted task ended once, its vendor was asked once, its callback came; the books are clean. Answers how many failed. */
  async function expectWhole(name: string, tasks: readonly Answered[]): Promise<number> {
    const ids = tasks.map(({ taskId }) => String(taskId));
    const records = await Promise.all(ids.map((id) => caller.ended(id)));
    const journal = await system.simulator.journal();
    const startsOf = (prompt: string) => journal.filter((entry) => entry.prompt === prompt && entry.accepted).length;
    expect(tasks.filter(({ prompt }) => startsOf(prompt) > 1)).toEqual([]);
    await onBooks(postgres.url(), async (database) => {
      const ends = await database.ledgerEntry.groupBy({ by: ['taskId'], where: { taskId: { in: ids } }, _count: true });
      expect(ends.map(({ _count }) => _count)).toEqual(ids.map(() => 2));
      const delivered = { taskId: { in: ids }, state: 'delivered' };
      await until(async () => (await database.webhookDelivery.count({ where: delivered })) === ids.length);
      expect(await audit(database)).toEqual([]);
    });
    const received = await system.simulator.received(name, ids.length);
    const called = new Set(received.map(({ headers }) => headers['webhook-id']));
    expect(ids.filter((id) => !called.has(id))).toEqual([]);
    return records.filter(({ status }) => status === 'failed').length;
  }

  it('and goes on: calls end by time limits, readiness says so, and nothing is lost or doubled', async () => {
    const load = startLoad('thawed');
    await load.more(BESIDE);
    const frozen = await postgres.freeze();
    try {
      await until(async () => !(await isReady()), 'readiness says that the database is away');
      await until(() => load.refused().length >= REFUSED, 'calls end without the database');
    } finally {
      frozen.thaw();
    }
    await until(isReady, 'readiness says that the database is back');
    await load.more(BESIDE);
    await load.stop();
    expect(load.refused().filter(({ status }) => status !== 503)).toEqual([]);
    const failed = await expectWhole('thawed', load.accepted());
    const figures = { accepted: load.accepted().length, refused: load.refused().length, failed };
    process.stdout.write(`frozen and thawed: ${JSON.stringify(figures)}\n`);
  });

  it('and thaws after its standby has taken its place: nothing is lost or doubled, and no one works there any more', async () => {
    const former = postgres.url();
    const load = startLoad('replaced');
    await load.more(BESIDE);
    const frozen = await postgres.freeze();
    try {
      await until(() => load.refused().length >= REFUSED, 'calls end without the database');
      await pooler.leadTo(await postgres.promote());
      await load.more(BESIDE);
    } finally {
      frozen.thaw();
    }
    await load.more(BESIDE);
    await load.stop();
    expect(load.refused().filter(({ status }) => status !== 503)).toEqual([]);
    const failed = await expectWhole('replaced', load.accepted());
    const figures = { accepted: load.accepted().length, refused: load.refused().length, failed };
    process.stdout.write(`frozen, replaced and thawed: ${JSON.stringify(figures)}\n`);
    // It carries out what it was sent before, and waits for a standby to confirm that, which none does. Nobody sends it more.
    const others = `select pid from pg_stat_activity where application_name like 'mediagate%' and wait_event is distinct from 'SyncRep'`;
    await onBooks(former, (database) => until(async () => (await runSql(database, others)).length === 0));
  });
});
