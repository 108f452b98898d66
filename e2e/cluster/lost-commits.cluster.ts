import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { audit, createFinisher } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { type Database, openDatabase } from '@mediagate/database';
import { findPooler, openPooler, type Pooler, testRedisUrl, until } from '@mediagate/testkit';
import { createCaller } from '../system/caller';
import { type System, type SystemAccount, startSystem } from '../system/start-system';
import { type PostgresPair, startPostgresPair } from './servers/postgres-pair';

const SERVICES = ['api', 'image', 'webhook-delivery', 'reconciler'] as const;
const BALANCE_NANO = 1_000_000_000_000n;
const POOLER_SESSIONS = 40;
const EVERY_MS = 100;
/** Load before, after and while the standby lags. */
const BESIDE_MS = 3000;
const LAG_MS = 4000;
const IMAGE = { model: 'imagegen-2.5-flare', quality: 'low' };
/** The first fence of the epoch that the promotion begins. */
const NEXT_EPOCH = 100_000;

const program = findPooler();
if (program === undefined) process.stderr.write('NOT RUN: a standby that lacks commits needs PgBouncer.\n');

type Fences = ReadonlyMap<string, number>;

(program === undefined ? describe.skip : describe)('the primary killed before its standby had everything', () => {
  let directory: string;
  let postgres: PostgresPair;
  let pooler: Pooler;
  let system: System<(typeof SERVICES)[number]>;
  let account: SystemAccount;
  /** Ids that callers were given. */
  let acknowledged: string[];
  let [knownFences, lostFences]: [Fences, Fences] = [new Map(), new Map()];
  let promoted: Database;
  let cutAt: Date;

  const open = (url: string) =>
    openDatabase({ url, poolSize: 2, statementTimeoutMs: 60_000, applicationName: 'cluster test' });

  async function fencesAt(url: string): Promise<Fences> {
    const database = open(url);
    try {
      const rows = await database.task.findMany({ select: { id: true, fence: true } });
      return new Map(rows.map(({ id, fence }) => [id, fence]));
    } finally {
      await database.close();
    }
  }

  /** Images at a steady pace, each with a callback, whatever is answered. */
  function startLoad(): { stop(): Promise<string[]> } {
    const caller = createCaller(system.baseUrl, account.key);
    const webhook = system.simulator.receiverUrl('lost');
    const answers: Promise<string | undefined>[] = [];
    let isOn = true;
    const sending = (async () => {
      for (let index = 0; isOn; index += 1) {
        const body = { ...IMAGE, prompt: `lost ${index} [[sim:latency=1s]]`, webhook };
        const answer = caller.post('/v1/images/generations', body).catch(() => undefined);
        answers.push(answer.then((given) => given?.body?.data?.[0]?.task_id));
        await delay(EVERY_MS);
      }
    })();
    return {
      async stop() {
        isOn = false;
        await sending;
        return (await Promise.all(answers)).filter((id) => id !== undefined);
      },
    };
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mediagate-lost-'));
    await chmod(directory, 0o755);
    postgres = await startPostgresPair(join(directory, 'postgres'), { isSynchronous: false });
    pooler = await openPooler(postgres.url(), { program: program as string, sessions: POOLER_SESSIONS });
    system = await startSystem({
      services: SERVICES,
      servers: {
        databaseUrl: postgres.url(),
        servicesUrl: `${pooler.url}?pgbouncer=true`,
        redisUrl: testRedisUrl(),
      },
      env: { SIM_IMAGE_MS: '300', LEASE_SECONDS: '6' },
    });
    account = await system.account(BALANCE_NANO);
    await until(async () => (await fencesOfAccount()) !== undefined);
    const load = startLoad();
    await delay(BESIDE_MS);
    // So that tasks which both servers know are claimed where the standby does not hear of it.
    process.kill(system.services.image.pid(), 'SIGSTOP');
    await until(async () => [...(await fencesAt(postgres.standbyUrl)).values()].includes(0));
    await postgres.cutStandby();
    cutAt = new Date();
    process.kill(system.services.image.pid(), 'SIGCONT');
    await delay(LAG_MS);
    [knownFences, lostFences] = [await fencesAt(postgres.standbyUrl), await fencesAt(postgres.url())];
    await pooler.leadTo(await postgres.failOver());
    promoted = open(postgres.url());
    await until(async () => (await createCaller(system.baseUrl, account.key).get('/v1/tasks?limit=1')).status === 200);
    await delay(BESIDE_MS);
    acknowledged = await load.stop();
    await until(async () => (await promoted.task.count({ where: { completedAt: null } })) === 0);
    await until(async () => (await promoted.webhookDelivery.count({ where: { state: 'pending' } })) === 0);
  }, 300_000);
  afterAll(async () => {
    await system?.stop();
    await promoted?.close();
    await pooler?.close();
    await postgres?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }, 120_000);

  /** The standby knows whom the load is of. */
  async function fencesOfAccount(): Promise<object | undefined> {
    const standby = open(postgres.standbyUrl);
    try {
      return (await standby.account.findUnique({ where: { id: account.accountId } })) ?? undefined;
    } finally {
      await standby.close();
    }
  }

  /** Tasks that both servers knew, and that were claimed at the lost primary when the standby did not get to know it any more. */
  const claimedUnheard = () =>
    [...lostFences].filter(([id, fence]) => knownFences.has(id) && fence !== knownFences.get(id));

  it('loses tasks that callers were given, and only those of the time that the audit names', async () => {
    const kept = new Set((await promoted.task.findMany({ select: { id: true } })).map(({ id }) => id));
    const lost = acknowledged.filter((id) => !kept.has(id));
    const gone = claimedUnheard().length;
    process.stdout.write(`lost: ${JSON.stringify({ acknowledged: acknowledged.length, lost: lost.length, gone })}\n`);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.filter((id) => knownFences.has(id))).toEqual([]);
    const caller = createCaller(system.baseUrl, account.key);
    expect((await caller.get(`/v1/tasks/${lost[0]}`)).status).toBe(404);
    const [epoch] = await promoted.fenceEpoch.findMany({ where: { cause: 'promoted' } });
    expect(epoch).toMatchObject({ epoch: 1, knownUntil: expect.any(Date) });
    expect(epoch?.knownUntil?.getTime()).toBeLessThanOrEqual(cutAt.getTime() + 1000);
  });

  it('gives no fence again that the lost primary gave', async () => {
    const claimed = await promoted.task.findMany({ select: { id: true, fence: true } });
    const again = claimed.filter(({ id, fence }) => fence !== (knownFences.get(id) ?? 0));
    expect(again.length).toBeGreaterThan(0);
    // A worker that the standby knew goes on; it may have taken back what it had not sent, never claimed anew.
    expect(again.filter(({ fence }) => fence < NEXT_EPOCH)).toEqual([]);
    expect(claimedUnheard().length).toBeGreaterThan(0);
  });

  it('takes nothing from a worker that claimed at the lost primary', async () => {
    const finish = createFinisher(promoted);
    for (const [id, fence] of claimedUnheard()) {
      const claim = { id: id as TaskId, fence };
      expect(await promoted.renewTaskLease(claim, 60_000)).toBe(false);
      const outcome = { kind: 'completed', costNano: 1n, result: {} } as const;
      const { accountId } = account;
      expect(await finish({ taskId: claim.id, accountId, fence, outcome })).toMatchObject({ won: false });
    }
  });

  it('has exact books of what the standby knew', async () => {
    expect(await audit(promoted)).toEqual([]);
    const tasks = await promoted.task.findMany({ select: { id: true, costNano: true } });
    const ends = await promoted.ledgerEntry.groupBy({
      by: ['taskId'],
      where: { taskId: { in: tasks.map(({ id }) => id) } },
      _count: true,
    });
    expect(ends.filter(({ _count }) => _count !== 2)).toEqual([]);
    expect(ends).toHaveLength(tasks.length);
    const { toppedUpNano, heldNano, settledNano } = await promoted.account.findUniqueOrThrow({
      where: { id: account.accountId },
    });
    const charged = tasks.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n);
    expect({ toppedUpNano, heldNano, settledNano }).toEqual({
      toppedUpNano: BALANCE_NANO,
      heldNano: 0n,
      settledNano: charged,
    });
  });
});
