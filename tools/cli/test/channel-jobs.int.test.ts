import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFinisher } from '@mediagate/billing';
import { runSql } from '@mediagate/testkit';
import { acceptedTask, fundedKey, openWorld, runIn, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const CHANNELS = `
channels:
  - { id: draining, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two }, state: draining }
  - { id: idle, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two } }
  - { id: rehearsal, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two }, test: true }
`;

it('channel jobs names every channel with jobs under way, also one that the file has no more', async () => {
  const path = join(String(world.env['MEDIAGATE_HOME']), 'channels.yaml');
  writeFileSync(path, CHANNELS);
  const states = [
    ['draining', 'accepted'],
    ['draining', 'starting'],
    ['removed', 'accepted'],
    ['idle', 'succeeded'],
  ] as const;
  for (const [index, [channelId, state]] of states.entries()) {
    const ids = { id: `att_${index}`, taskId: `task_${index}`, externalId: `job-${index}` };
    await world.database.taskAttempt.create({
      data: { ...ids, number: 1, channelId, protocol: 'openai-images', state },
    });
  }
  const env = { ...world.env, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret' };
  const { code, out, err } = await runIn(env, 'channel', 'jobs', '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out).channels).toEqual([
    { id: 'draining', state: 'draining', open_jobs: 2 },
    { id: 'removed', state: 'not in the file', open_jobs: 1 },
  ]);
  expect((await runIn(env, 'channel', 'jobs')).out).toMatch(/^removed +not in the file +1$/m);
});

it('sets a channel over the file, shows who did, and takes it back', async () => {
  const path = join(String(world.env['MEDIAGATE_HOME']), 'channels.yaml');
  writeFileSync(path, CHANNELS);
  const env = { ...world.env, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret' };
  const json = async (...words: string[]) => JSON.parse((await runIn(env, 'channel', ...words, '--json')).out);
  const idle = async () => (await json('list')).channels.find(({ id }: { id: string }) => id === 'idle');
  await json('weigh', 'idle', '7');
  expect(await json('drain', 'idle', '--reason', 'rotating keys')).toMatchObject({
    override: { state: 'draining', weight: 7 },
  });
  expect(await idle()).toMatchObject({
    state: 'draining',
    weight: 7,
    file: { state: 'enabled', weight: 1 },
    override: { set_by: 'cli:ada', reason: 'rotating keys' },
  });
  const listed = (await runIn(env, 'channel', 'list')).out;
  expect(listed).toMatch(/^idle +draining +7 +cli:ada +closed .* live$/m);
  expect(listed).toMatch(/^rehearsal +enabled .* test$/m);
  const { out } = await runIn(env, 'settings', 'show');
  expect(out).toMatch(/^idle +weight +7 +database$/m);
  expect(out).toMatch(/^idle +state +draining +database$/m);
  expect(out).toMatch(/^ +DATABASE_URL +set +environment$/m);
  await json('reset', 'idle');
  expect(await idle()).toMatchObject({ state: 'enabled', weight: 1, override: null });
  expect((await world.notes('idle')).map(({ detail }) => detail)).toMatchObject([
    { before: { state: null, weight: null }, after: { state: null, weight: 7 } },
    { before: { state: null, weight: 7 }, after: { state: 'draining', weight: 7 }, reason: 'rotating keys' },
    { before: { state: 'draining', weight: 7 }, after: { state: null, weight: null } },
  ]);
  expect(await runIn(env, 'channel', 'drain', 'nobody')).toMatchObject({
    code: 1,
    err: 'mediagate: neither the file nor an operator knows a channel nobody\n',
  });
});

it('sets no price that is written so late that a process may not know it in time', async () => {
  const path = join(String(world.env['MEDIAGATE_HOME']), 'prices.yaml');
  writeFileSync(path, CHANNELS);
  const env = { ...world.env, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret' };
  const run = (sql: string) => runSql(world.database, sql);
  await run(`create function stall() returns trigger language plpgsql as 'begin perform pg_sleep(4); return new; end'`);
  await run('create trigger stall before insert on price_overrides for each row execute function stall()');
  try {
    expect((await runIn(env, 'price', 'set', 'imageseed-4.0', '0.25')).code).not.toBe(0);
    expect(await world.database.listPriceOverrides({ before: 1_000_000n, limit: 1 })).toEqual([]);
  } finally {
    await run('drop function stall cascade');
  }
});

it('sets a price over the file from a moment on, and shows where prices come from', async () => {
  const path = join(String(world.env['MEDIAGATE_HOME']), 'prices.yaml');
  writeFileSync(path, `${CHANNELS}\nprices: { imageseed-4.0: { per_image: 0.5 } }\n`);
  const env = { ...world.env, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret' };
  const json = async (...words: string[]) => JSON.parse((await runIn(env, 'price', ...words, '--json')).out);
  const from = new Date(Date.now() + 3_600_000).toISOString();
  expect(await json('set', 'imageseed-4.0', '0.25', '--from', from)).toMatchObject({
    effective_at: Date.parse(from) / 1000,
  });
  expect((await json('list', '--model', 'imageseed-4.0')).prices).toMatchObject([
    { key: 'imageseed-4.0', unit: 'per_image', price: 0.5, origin: 'file', changes_at: expect.any(Number) },
  ]);
  expect((await json('history')).overrides).toMatchObject([{ key: 'imageseed-4.0', price: 0.25, set_by: 'cli:ada' }]);
  const early = await runIn(env, 'price', 'set', 'imageseed-4.0', '1', '--from', new Date().toISOString());
  expect(early).toMatchObject({ code: 1, err: expect.stringContaining('at least 10 seconds before') });
  const wrong = await runIn(env, 'price', 'set', 'imageseed-4.0', '{"per_mile": 1}');
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('no such unit: use one of per_image') });
});

it('reports what was used and what it earned, by the vendors of the file, as a table, JSON and CSV', async () => {
  const path = join(String(world.env['MEDIAGATE_HOME']), 'vendors.yaml');
  writeFileSync(
    path,
    CHANNELS.replace('{ id: idle, protocol: openai-images,', '{ id: idle, vendor: acme, protocol: openai-images,'),
  );
  const env = { ...world.env, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret' };
  const report = (...words: string[]) => runIn(env, 'report', ...words);
  const taskId = await acceptedTask(world.database, await fundedKey(world.database));
  const cost = { nano: 1_000_000_000n, origin: 'declared' } as const;
  const call = { channelId: 'idle', protocol: 'p', state: 'succeeded', cost, beganAt: 0, endedAt: 1 } as const;
  const units = { image_output: 83_333n };
  const outcome = { kind: 'completed', costNano: 2_500_000_000n, units, result: {} } as const;
  await createFinisher(world.database)({ taskId, fence: 'any', outcome, calls: [call] });
  const sums = { tasks: 1, completed: 1, failed: 0, charged: 2.5, refunded: 0, cost: 1, cost_unknown: 0, margin: 1.5 };
  expect(JSON.parse((await report('margin', '--group-by', 'vendor', '--json')).out)).toMatchObject({
    data: [{ vendor: 'acme', ...sums }],
    total: sums,
  });
  expect(await report('margin', '--group-by', 'vendor,channel', '--csv')).toEqual({
    code: 0,
    out: 'vendor,channel,tasks,completed,failed,charged,refunded,cost,cost_unknown,margin\r\nacme,idle,1,1,0,2.5,0,1,0,1.5\n',
    err: '',
  });
  expect((await report('usage', '--group-by', 'vendor')).out).toMatch(
    /^VENDOR +TASKS +COMPLETED +FAILED +CHARGED +REFUNDED\nacme +1 +1 +0 +2\.5 +0\ntotal +1 +1 +0 +2\.5 +0\n$/,
  );
  const month = new Date().toISOString().slice(0, 7);
  const byUnit = await report('margin', '--month', month, '--group-by', 'vendor,channel', '--units', '--csv');
  expect(byUnit.out).toContain(',units\r\nacme,idle,1,1,0,2.5,0,1,0,1.5,image_output=0.000083333\n');
  const task = await world.database.task.findUniqueOrThrow({ where: { id: taskId } });
  const invoice = (...words: string[]) => report('invoice', '--account', task.accountId, '--month', month, ...words);
  expect((await invoice('--csv')).out.split('\r\n').slice(-4)).toEqual([
    'refunds,,,,,0',
    `charge,${task.model},,,1,-2.5`,
    `unit,${task.model},image_output,0.000083333,,`,
    expect.stringMatching(/^closing_balance,,,,,\d/),
  ]);
  expect(JSON.parse((await invoice('--json')).out)).toMatchObject({ month, charges: 2.5 });
  expect((await invoice()).out).toMatch(/^LINE +MODEL +UNIT +QUANTITY +TASKS +AMOUNT\n/);
  expect((await report('invoice', '--account', 'nobody', '--month', month)).code).toBe(1);
  expect((await report('invoice', '--account', task.accountId, '--month', 'never')).code).toBe(2);
  expect((await report('margin', '--month', month, '--from', '2026-01-01')).code).toBe(2);
  expect((await report('margin', '--group-by', 'colour')).code).toBe(2);
  expect((await report('margin', '--from', '2026-02-01', '--to', '2026-01-01')).code).toBe(1);
});
