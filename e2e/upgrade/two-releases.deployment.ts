import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumDays } from '@mediagate/billing';
import { WORKER_FAMILIES } from '@mediagate/contracts';
import { migrate } from '@mediagate/database';
import { createTestDatabase, type TestDatabase, testRedisUrl, until } from '@mediagate/testkit';
import { Client } from 'pg';
import { type ServiceName, type System, type SystemAccount, startSystem } from '../system/start-system';
import { openFormerRelease } from './former-release';
import { type Caller, callerOf, JOBS, SPEECH_PATH, SYNCHRONOUS, TEXT_PATH, VIDEO } from './jobs';

const UNIT = 1_000_000_000n;
const DAY_MS = 86_400_000;
const PEPPER = 'pepper-of-two-releases';

const WORKERS: readonly ServiceName[] = [...WORKER_FAMILIES, 'webhook-delivery', 'reconciler'];

/** In the order in which docs/deployment.md has them replaced. */
const ALL: readonly ServiceName[] = ['reconciler', ...WORKER_FAMILIES, 'webhook-delivery', 'api'];

const checkout = openFormerRelease();
/** Each mixture names the services of the release before. The database has the tables of this one. */
const MIXTURES: [string, readonly ServiceName[]][] = [
  ['an API of the release before, and all others of this one', ['api']],
  ['an API of this release, and all others of the one before', WORKERS],
];

(checkout === undefined ? describe.skip : describe).each(MIXTURES)('%s', (_name, services) => {
  let system: System;
  let account: SystemAccount;
  let caller: Caller;
  beforeAll(async () => {
    // The file stays as it was when services are replaced.
    const config = readFileSync(join(String(checkout), 'deploy/config/simulator.yaml'), 'utf8');
    system = await startSystem({ config, former: { checkout: String(checkout), services } });
    account = await system.account(100n * UNIT);
    caller = callerOf(system.baseUrl, account.key);
  });
  afterAll(() => system?.stop());

  it('do the jobs of every family, and call back', async () => {
    const webhook = system.simulator.receiverUrl('upgrade');
    const ids = await Promise.all(
      Object.entries(JOBS).map(([path, body]) => caller.submit(path, { ...body, webhook })),
    );
    const text = await caller.call(TEXT_PATH, SYNCHRONOUS[TEXT_PATH]);
    expect((await text.arrayBuffer()).byteLength).toBeGreaterThan(0);
    for (const id of ids) expect([id, (await caller.ended(id)).status]).toEqual([id, 'completed']);
    expect(await system.simulator.received('upgrade', ids.length)).toHaveLength(ids.length);
  });

  it('refund speech whose vendor was not asked: a worker of one release does not reach the callers of another', async () => {
    await expect(caller.call(SPEECH_PATH, SYNCHRONOUS[SPEECH_PATH])).rejects.toThrow(/: 50[03] /);
    const task = await system.database.task.findFirstOrThrow({ where: { family: 'tts' } });
    expect(task).toMatchObject({ status: 'failed', costNano: 0n, error: { reason: 'caller_left' } });
    expect(
      (await system.simulator.journal()).filter(({ prompt }) => prompt === SYNCHRONOUS[SPEECH_PATH].input),
    ).toEqual([]);
  });

  it('refund what fails', async () => {
    const id = await caller.submit('/v1/images/generations', {
      model: 'imagegen-2',
      quality: 'low',
      prompt: 'a lighthouse [[sim:policy-submit]]',
    });
    expect((await caller.ended(id)).status).toBe('failed');
  });

  it('hand over what a vendor has accepted when a worker is replaced', async () => {
    const id = await caller.submit('/v1/videos/generations', { ...VIDEO, prompt: 'a slow kite [[sim:latency=8s]]' });
    await until(
      async () => (await system.database.taskAttempt.count({ where: { taskId: id, state: 'accepted' } })) === 1,
    );
    await system.services.video.stop();
    await system.another('video');
    expect((await caller.ended(id)).status).toBe('completed');
    expect(await system.database.taskAttempt.count({ where: { taskId: id } })).toBe(1);
  });

  it('are right in the books and in the sums of days', async () => {
    await sumDays(system.database, { limit: 1000, olderThanMs: -DAY_MS });
    expect(await system.audit()).toEqual([]);
    const { heldNano } = await system.database.account.findUniqueOrThrow({ where: { id: account.accountId } });
    expect(heldNano).toBe(0n);
  });
});

(checkout === undefined ? describe.skip : describe)('a database of the release before', () => {
  let home: TestDatabase;
  let system: System;
  let caller: Caller;
  beforeAll(async () => {
    home = await createTestDatabase();
    await emptyDatabase(home.databaseUrl);
    await migrate(home.databaseUrl, join(String(checkout), 'prisma/migrations'));
    system = await startSystem({
      config: readFileSync(join(String(checkout), 'deploy/config/simulator.yaml'), 'utf8'),
      env: { MEDIAGATE_KEY_PEPPER: PEPPER },
      former: { checkout: String(checkout), services: ALL },
      servers: { databaseUrl: home.databaseUrl, servicesUrl: home.databaseUrl, redisUrl: testRedisUrl() },
    });
    caller = callerOf(system.baseUrl, fundedKey(home.databaseUrl));
  });
  afterAll(async () => {
    await system?.stop();
    await home?.drop();
  });

  it('is migrated while tasks are under way, and the services of this release finish them, with the books right', async () => {
    const finished = await Promise.all(Object.entries(JOBS).map(([path, body]) => caller.submit(path, body)));
    for (const [path, body] of Object.entries(SYNCHRONOUS)) await (await caller.call(path, body)).arrayBuffer();
    for (const id of finished) expect((await caller.ended(id)).status).toBe('completed');
    const underWay = await caller.submit('/v1/videos/generations', {
      ...VIDEO,
      prompt: 'a slow kite [[sim:latency=20s]]',
    });
    await until(
      async () => (await system.database.taskAttempt.count({ where: { taskId: underWay, state: 'accepted' } })) === 1,
    );

    await migrate(home.databaseUrl);
    await (await caller.call(SPEECH_PATH, SYNCHRONOUS[SPEECH_PATH])).arrayBuffer();
    const spoken = await system.database.task.findMany({ where: { family: 'tts' } });
    expect(spoken).toMatchObject(Array(2).fill({ status: 'completed', fence: 1, attemptsMade: 1 }));
    for (const { id } of spoken) expect(await system.database.taskAttempt.count({ where: { taskId: id } })).toBe(1);
    for (const name of ALL) {
      await system.services[name].stop();
      await system.another(name, name === 'api' ? { PORT: new URL(system.baseUrl).port } : {});
    }

    expect((await caller.ended(underWay)).status).toBe('completed');
    expect(await system.database.taskAttempt.count({ where: { taskId: underWay } })).toBe(1);
    for (const id of finished) expect((await caller.ended(id)).status).toBe('completed');
    for (const [path, body] of Object.entries(JOBS)) {
      expect((await caller.ended(await caller.submit(path, body))).status).toBe('completed');
    }
    await sumDays(system.database, { limit: 1000, olderThanMs: -DAY_MS });
    expect(await system.audit()).toEqual([]);
  });
});

async function emptyDatabase(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await client.end();
}

/** By the command line of the release before: this one's may write columns that the database does not have yet. */
function fundedKey(databaseUrl: string): string {
  const run = (...words: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [join(String(checkout), 'tools/cli/dist/main.js'), ...words, '--json'], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: databaseUrl,
          REDIS_URL: testRedisUrl(),
          MEDIAGATE_KEY_PEPPER: PEPPER,
          USER: 'upgrade',
        },
        encoding: 'utf8',
      }),
    );
  const { id } = run('account', 'create', '--name', 'acme', '--balance', '100');
  return run('key', 'create', '--account', id).key;
}
