import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canOpenSmallDisk, findFaketime, until } from '@mediagate/testkit';
import { Redis } from 'ioredis';
import { judgedFetch } from '../system/judged-answers';
import { freePort, type ServiceProcess } from '../system/service-process';
import { completed, ended, type Night, submit, type World } from './night';
import { moveTasks } from './small-table';

/** So many attempts say something of a channel. */
const TELLING = 6;
/** After so many successes a channel works again. */
const CONVINCING = 25;
const FLOOD = 150;

const rule = (prompt: string, scenario: string) => [{ match: { prompt }, scenario }];
const AT_NIGHT = 'by night';

const rows = ({ system: { database } }: World, ids: readonly string[]) =>
  database.task.findMany({ where: { id: { in: [...ids] } } });

/** Attempts at tasks of this one have failed so often. */
async function untilFailed({ system: { database } }: World, channelId: string, fault: string): Promise<void> {
  const where = { channelId, fault, state: { in: ['refused', 'unknown'] } };
  await until(async () => (await database.taskAttempt.count({ where })) >= TELLING, `${channelId} fails by ${fault}`);
}

/** Submits until a task is not accepted, and gives the answer. */
async function untilRefused({ caller }: World): Promise<string> {
  return until(async () => {
    const { status, body } = await caller.post('/v1/images/generations', { model: 'imagegen-2', prompt: AT_NIGHT });
    return status >= 500 && `${status} ${body.error.reason}`;
  }, 'a submission is refused');
}

const flood = (world: World) => submit(world, 'imagegen-2', FLOOD);
let waiting: readonly string[] = [];
let moved: Awaited<ReturnType<typeof moveTasks>>;
let ahead: { process: ServiceProcess; url: string };

/** The tasks of the night have ended, refunded or not, and new ones are completed. */
async function works(world: World, model: string): Promise<void> {
  await ended(world, waiting);
  await completed(world, await submit(world, model, CONVINCING));
}

/** Root alone mounts disks of a few MB. */
export const canFillDisks = () => process.getuid?.() === 0 && canOpenSmallDisk();

/** In the order in which they are played. */
export const NIGHTS: readonly Night[] = [
  {
    name: 'storage full',
    canBePlayed: canFillDisks,
    async break(world) {
      await world.disk?.fill();
      await until(async () => {
        const metrics = await (await fetch(world.system.services.image.metricsUrl)).text();
        return metrics.includes('mediagate_storage_works{place="storage"} 0');
      }, 'the storage takes nothing');
      waiting = await submit(world, 'imagegen-2', 2);
      await until(async () => (await rows(world, waiting)).every(({ fence, leaseUntil }) => fence > 0 && !leaseUntil));
      return 'accepted tasks stay `submitted`';
    },
    trouble: { kind: 'storage_failing', cause: 'our_storage', detail: /full/ },
    notified: { notice: 'storage_failing' },
    async mend(world) {
      await world.disk?.empty();
      await completed(world, waiting);
    },
  },
  {
    name: 'key refused',
    async break(world) {
      await world.system.simulator.setRules(rule(AT_NIGHT, 'auth'));
      waiting = await submit(world, 'imagegen-2.5-flare', TELLING);
      await untilFailed(world, 'keyed', 'operator');
      return 'tasks are tried again, and fail by `no_upstream`, refunded';
    },
    trouble: { kind: 'channel', subject: 'keyed', cause: 'our_key' },
    notified: { notice: 'channel_sick' },
    async mend(world) {
      await world.system.simulator.setRules([]);
      await works(world, 'imagegen-2.5-flare');
    },
  },
  {
    name: 'certificate ended',
    async break(world) {
      world.vendor.end();
      waiting = await submit(world, 'imagegen-2.5-sunburst', TELLING);
      await untilFailed(world, 'expiring', 'not_accepted');
      return 'tasks are tried again, and fail by `no_upstream`, refunded';
    },
    trouble: { kind: 'channel', subject: 'expiring', cause: 'their_outage', detail: /CERT_HAS_EXPIRED/ },
    notified: { notice: 'channel_sick' },
    async mend(world) {
      world.vendor.renew();
      await works(world, 'imagegen-2.5-sunburst');
    },
  },
  {
    name: 'Redis evicts',
    async break(world) {
      const redis = new Redis(world.system.redis?.url as string);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-random');
      waiting = await submit(world, 'imagegen-2', TELLING);
      await redis.flushall();
      await redis.quit();
      return 'tasks begin seconds late: the reconciler enqueues them again';
    },
    trouble: { kind: 'redis_evicts', cause: 'redis_policy', detail: /allkeys-random/ },
    notified: { nobody: 'nobody: `redis.evicts` in every log' },
    async mend(world) {
      const redis = new Redis(world.system.redis?.url as string);
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      await redis.quit();
      await completed(world, waiting);
    },
  },
  {
    name: 'PostgreSQL full',
    canBePlayed: canFillDisks,
    async break(world) {
      moved = await moveTasks(world.system.database);
      await moved.disk.fill();
      return `submissions are ${await untilRefused(world)}`;
    },
    trouble: { kind: 'database_full', cause: 'our_database' },
    notified: {
      alert: 'MediagateApiErrors',
      service: 'api',
      measured: /mediagate_http_request_duration_seconds_count\{[^}]*status="503"[^}]*\} [1-9]/,
    },
    async mend(world) {
      await moved.disk.empty();
      await completed(world, await submit(world, 'imagegen-2', 1));
      await moved.moveBack();
    },
  },
  {
    name: 'one account floods',
    async break(world) {
      await world.system.simulator.setRules(rule(AT_NIGHT, 'latency=2s'));
      waiting = await flood(world);
      return 'tasks of others wait for their turn';
    },
    trouble: { kind: 'account_floods', cause: 'one_account' },
    notified: { nobody: 'nobody: others keep their turns' },
    async mend(world) {
      await Promise.all(waiting.map((id) => world.caller.post(`/v1/tasks/${id}/cancel`, '')));
      await ended(world, waiting);
      await world.system.simulator.setRules([]);
    },
  },
  {
    name: 'clock off',
    canBePlayed: () => findFaketime() !== undefined,
    async break(world) {
      const { system, caller } = world;
      await completed(world, await submit(world, 'imagegen-2', 1));
      const { data } = (await caller.get('/v1/tasks?status=completed&limit=1')).body;
      const PORT = String(await freePort());
      const faked = { LD_PRELOAD: findFaketime() as string, FAKETIME: '+2d', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
      ahead = { process: await system.another('api', { PORT, ...faked }), url: `http://127.0.0.1:${PORT}` };
      const { pathname, search } = new URL(data[0].result.images[0].url[0]);
      const status = await until(
        async () => (await judgedFetch(`${ahead.url}${pathname}${search}`).catch(() => undefined))?.status,
        'the process answers whose clock is ahead',
      );
      return `fresh links are refused with ${status}`;
    },
    trouble: { kind: 'clock_off', cause: 'our_clock' },
    askedAt: () => ahead.url,
    notified: { nobody: 'nobody: `mediagate_clock_ahead_seconds` of every process' },
    async mend({ system }) {
      await ahead.process.stop();
      // One whose clock is right takes its place.
      ahead.url = system.baseUrl;
    },
  },
  {
    name: 'bad deploy',
    async break(world) {
      const { system } = world;
      await system.services.image.stop();
      const broken = join(system.configPath, '../broken.yaml');
      await writeFile(broken, 'channels: [{ id: new }]');
      await expect(system.another('image', { MEDIAGATE_CONFIG: broken })).rejects.toThrow('did not start');
      waiting = await submit(world, 'imagegen-2', 2);
      return 'accepted tasks stay `submitted`';
    },
    trouble: { kind: 'queue', subject: 'image', cause: 'no_worker' },
    notified: {
      alert: 'MediagateTasksNotTaken',
      service: 'reconciler',
      measured: /mediagate_due_tasks\{family="image"\} [1-9]/,
    },
    async mend(world) {
      await world.system.services.image.start();
      await completed(world, waiting);
    },
  },
];
