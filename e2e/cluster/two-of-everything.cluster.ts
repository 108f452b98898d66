import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { audit } from '@mediagate/billing';
import { type Database, openDatabase } from '@mediagate/database';
import {
  type Bucket,
  findFaketime,
  findPooler,
  openBucket,
  openPooler,
  type Pooler,
  uniquePrefix,
  until,
} from '@mediagate/testkit';
import { type Caller, createCaller } from '../system/caller';
import { freePort, type ServiceProcess } from '../system/service-process';
import { type System, type SystemAccount, startSystem } from '../system/start-system';
import { type Balancer, startBalancer } from './servers/balancer';
import { type PostgresPair, startPostgresPair } from './servers/postgres-pair';
import { type RedisCluster, startRedisCluster } from './servers/redis-cluster';
import { type Sent, startLoad } from './steady-load';

const SERVICES = ['api', 'image', 'imgtool', 'music', 'tts', 'video', 'webhook-delivery', 'reconciler'] as const;
type Name = (typeof SERVICES)[number];
const UNIT = 1_000_000_000n;
const POOLER_SESSIONS = 40;
/** As a caller may be answered while nobody can write; as one of speech while no Redis has taken the place of a dead one. */
const UNAVAILABLE = new Set([503]);
const READ_ONLY_MS = 20_000;
/** Load before and after an event. */
const BESIDE_MS = 3000;
/** Workers finish the calls and the files that they have under way. */
const DRAIN_LIMIT_MS = 120_000;
/** All services start again, which takes seconds on a machine of its own and minutes on one that is shared. */
const RESTARTS_LIMIT_MS = 400_000;
const EVERY_MS = 200;
/** While services start, which takes the CPU of the others. */
const RESTARTS_EVERY_MS = 500;
const prefix = uniquePrefix();

const program = findPooler();
const faketime = findFaketime();
if (program === undefined || faketime === undefined) {
  process.stderr.write('NOT RUN: two of everything need PgBouncer and libfaketime.\n');
}

(program === undefined || faketime === undefined ? describe.skip : describe)('two of everything', () => {
  let directory: string;
  let postgres: PostgresPair;
  let pooler: Pooler;
  let redis: RedisCluster;
  let bucket: Bucket;
  let balancer: Balancer;
  let system: System<Name>;
  /** The second process of each service; its clock is two seconds ahead of the first one's. */
  let seconds: ServiceProcess[];
  let apiPorts: number[];
  let account: SystemAccount;
  let caller: Caller;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mediagate-two-'));
    await chmod(directory, 0o755);
    [postgres, redis, balancer] = await Promise.all([
      startPostgresPair(join(directory, 'postgres')),
      startRedisCluster(join(directory, 'redis')),
      startBalancer(),
    ]);
    pooler = await openPooler(postgres.url(), { program: program as string, sessions: POOLER_SESSIONS });
    bucket = await openBucket();
    const shipped = await readFile(join(__dirname, '../../deploy/config/simulator.yaml'), 'utf8');
    system = await startSystem({
      services: SERVICES,
      config: `${shipped}\n${storageOf(bucket)}`,
      servers: { databaseUrl: postgres.url(), servicesUrl: `${pooler.url}?pgbouncer=true`, redisUrl: redis.url },
      env: {
        SIM_IMAGE_MS: '300',
        SIM_VIDEO_MS: '2000',
        S3_KEY: bucket.storage.accessKeyId,
        PUBLIC_BASE_URL: balancer.url,
        REDIS_PREFIX: prefix,
        // Longer than a busy machine keeps a worker waiting, and over well before PostgreSQL takes writes again.
        LEASE_SECONDS: '6',
      },
    });
    apiPorts = [Number(new URL(system.baseUrl).port), await freePort()];
    const ahead = { LD_PRELOAD: faketime as string, FAKETIME: '+2s', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    seconds = await Promise.all(
      SERVICES.map((name) => system.another(name, { ...ahead, ...(name === 'api' && { PORT: String(apiPorts[1]) }) })),
    );
    await balancer.leadTo(apiPorts);
    account = await system.account(10_000n * UNIT);
    caller = createCaller(balancer.url, account.key);
  }, 300_000);
  afterAll(async () => {
    await system?.stop();
    await balancer?.close();
    await pooler?.close();
    await redis?.stop();
    await bucket?.close();
    await postgres?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }, 120_000);

  /** Load before, during and after an event. */
  async function under<T>(name: string, event: () => Promise<T>, everyMs = EVERY_MS) {
    const webhook = system.simulator.receiverUrl(name);
    const load = startLoad({ caller, webhook, name, everyMs });
    try {
      await delay(BESIDE_MS);
      const happened = await event();
      await delay(BESIDE_MS);
      return { happened, tasks: await load.stop() };
    } finally {
      await load.stop();
    }
  }

  /** Works on the books as they are now: the primary may be another one than at the start. */
  async function onBooks<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = openDatabase({
      url: postgres.url(),
      poolSize: 2,
      statementTimeoutMs: 60_000,
      applicationName: 'cluster test',
    });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  const refused = (sent: readonly Sent[]) => sent.filter(({ status }) => status !== 200);

  /** Each accepted task is there and ended once, its vendor was asked once, its callback was received; the books are clean. */
  async function expectWhole(name: string, tasks: readonly Sent[]) {
    const accepted = tasks.filter(({ taskId }) => taskId !== undefined);
    const records = await Promise.all(accepted.map(({ taskId }) => caller.ended(String(taskId))));
    const journal = await system.simulator.journal();
    const starts = accepted.map(
      ({ prompt }) => journal.filter((entry) => entry.prompt === prompt && entry.accepted).length,
    );
    expect(Math.max(...starts)).toBe(1);
    await onBooks(async (database) => {
      const ids = accepted.map(({ taskId }) => String(taskId));
      const ends = await database.ledgerEntry.groupBy({ by: ['taskId'], where: { taskId: { in: ids } }, _count: true });
      expect(ends.map(({ _count }) => _count)).toEqual(ids.map(() => 2));
      const delivered = { taskId: { in: ids }, state: 'delivered' };
      await until(async () => (await database.webhookDelivery.count({ where: delivered })) === ids.length);
      expect(await audit(database)).toEqual([]);
    });
    const received = await system.simulator.received(name, accepted.length);
    const ends = new Set(received.map(({ headers }) => headers['webhook-id']));
    expect(accepted.filter(({ taskId }) => !ends.has(String(taskId)))).toEqual([]);
    const failed = records.filter(({ status }) => status === 'failed');
    const summary = {
      accepted: accepted.length,
      completed: records.length - failed.length,
      answered: tasks.filter(({ taskId, status }) => taskId === undefined && status === 200).length,
      refused: refused(tasks).length,
    };
    process.stdout.write(`${name}: ${JSON.stringify(summary)}\n`);
    return { failed };
  }

  /** One of each service while the other serves, then the other; how each process ended. */
  async function restartAll(): Promise<{ name: string; code: number | null; endedAfterMs: number }[]> {
    const ends = [];
    for (const [index, half] of [Object.values<ServiceProcess>(system.services), seconds].entries()) {
      await balancer.leadTo(apiPorts.toSpliced(index, 1));
      ends.push(...(await Promise.all(half.map(restart))));
      await balancer.leadTo(apiPorts);
    }
    return ends;
  }

  async function restart(service: ServiceProcess) {
    const stoppedAt = performance.now();
    const code = await service.stop(DRAIN_LIMIT_MS);
    const endedAfterMs = Math.round(performance.now() - stoppedAt);
    await service.start();
    return { name: service.name, code, endedAfterMs };
  }

  it(
    'one of each service restarted, then the other: no request fails, no task is lost, doubled or failed',
    async () => {
      const { tasks, happened } = await under('restarted', restartAll, RESTARTS_EVERY_MS);
      process.stdout.write(`restarted: ${JSON.stringify(happened)}\n`);
      expect(happened.filter(({ code }) => code !== 0)).toEqual([]);
      expect(refused(tasks)).toEqual([]);
      expect((await expectWhole('restarted', tasks)).failed).toEqual([]);
    },
    RESTARTS_LIMIT_MS,
  );

  it('a primary of the Redis Cluster killed: no request fails but new speech, which needs its job, and no task is lost, doubled or failed', async () => {
    const { tasks, happened } = await under('redis', () => redis.losePrimaryOf(`{${prefix}:image}`, 'SIGKILL'));
    process.stdout.write(`redis: replaced after ${happened.replacedAfterMs} ms\n`);
    const withoutRedis = refused(tasks).filter(({ isSpeech, status }) => isSpeech && UNAVAILABLE.has(status ?? 0));
    expect(refused(tasks)).toEqual(withoutRedis);
    expect(refused(tasks.slice(-5))).toEqual([]);
    expect((await expectWhole('redis', tasks)).failed).toEqual([]);
  });

  it('PostgreSQL read-only for 20 s: answered with 503 meanwhile, and nothing that was accepted is lost', async () => {
    const { tasks } = await under('read-only', async () => {
      await postgres.setReadOnly(true);
      await delay(READ_ONLY_MS);
      await postgres.setReadOnly(false);
    });
    expect(refused(tasks).filter(({ status }) => !UNAVAILABLE.has(status ?? 0))).toEqual([]);
    expect(refused(tasks.slice(-5))).toEqual([]);
    expect((await expectWhole('read-only', tasks)).failed).toEqual([]);
  });

  it('the primary killed and its standby promoted: nothing that was acknowledged is lost', async () => {
    const { tasks, happened } = await under('promoted', async () => {
      const killedAt = performance.now();
      await pooler.leadTo(await postgres.failOver());
      const ledAfterMs = Math.round(performance.now() - killedAt);
      await until(async () => (await caller.get('/v1/tasks?limit=1')).status === 200);
      return { ledAfterMs, answersAfterMs: Math.round(performance.now() - killedAt) };
    });
    process.stdout.write(`promoted: ${JSON.stringify(happened)}\n`);
    expect(refused(tasks).filter(({ status }) => !UNAVAILABLE.has(status ?? 0))).toEqual([]);
    expect(refused(tasks.slice(-5))).toEqual([]);
    expect((await expectWhole('promoted', tasks)).failed).toEqual([]);
  });
});

function storageOf({ storage }: Bucket): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the configuration file has it.
  const key = '${S3_KEY}';
  const place = `driver: s3, endpoint: "${storage.endpoint}", region: ${storage.region}, bucket: ${storage.bucket}, force_path_style: true`;
  return `storage: { ${place}, access_key_id: "${key}", secret_access_key: "${key}" }\n`;
}
