import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createFinisher } from '@mediagate/billing';
import { openVendorSealer, readSigningSecret } from '@mediagate/channels';
import { openSettings } from '@mediagate/settings';
import { forAllTests, runSql } from '@mediagate/testkit';
import { makeDevelopmentCertificate } from '@mediagate/testkit/servers';
import { acceptedTask, fundedKey, openWorld, runIn, runWithInput } from './world';

/** As the file names a secret. */
const ref = (name: string) => `\${${name}}`;

const world = forAllTests(openWorld);

const CHANNELS = `
channels:
  - { id: draining, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two }, state: draining }
  - { id: idle, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two } }
  - { id: rehearsal, protocol: openai-images, base_url: 'https://v.example/v1', api_key: '\${IMAGES_KEY}',
      models: { imagegen-2: two }, test: true }
`;

/** Variables that name a configuration file of this text. */
function configured(text = CHANNELS, more: Record<string, string> = {}) {
  const path = join(String(world.env['MEDIAGATE_HOME']), 'channels.yaml');
  writeFileSync(path, text);
  return { ...world.env, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret', ...more };
}

it('channel jobs names every channel with jobs under way, also one that is removed', async () => {
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
  const env = configured();
  const { code, out, err } = await runIn(env, 'channel', 'jobs', '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out).channels).toEqual([
    { id: 'draining', state: 'draining', open_jobs: 2 },
    { id: 'removed', state: 'removed', open_jobs: 1 },
  ]);
  expect((await runIn(env, 'channel', 'jobs')).out).toMatch(/^removed +removed +1$/m);
});

it('permits a key what the file describes beside the catalogue', async () => {
  const env = configured(`
models:
  - id: draft-1
    operation: images.generations
    description: Draws drafts.
    input: { type: object, properties: { prompt: { type: string } } }
    price: { per_task: 0.5 }
    examples: [{ prompt: a pier }]
channels: []
`);
  const { id } = await world.json('account', 'create');
  const { code, out, err } = await runIn(env, 'key', 'create', '--account', id, '--models', 'Draft-1', '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const key = await world.database.apiKey.findUniqueOrThrow({ where: { id: JSON.parse(out).id } });
  expect(key.models).toEqual(['draft-1']);
});

it('asks the vendor of a channel, and notes who asked', async () => {
  const vendor = createServer((request, response) => {
    response.writeHead(request.headers.authorization === 'Bearer sk-taken' ? 200 : 401);
    response.end('{"data": [{"id": "another"}]}');
  }).listen(0, '127.0.0.1');
  vendor.unref();
  await once(vendor, 'listening');
  const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  const env = configured(CHANNELS.replaceAll('https://v.example', url), { IMAGES_KEY: 'sk-taken' });
  const history = JSON.parse((await runIn(env, 'channel', 'history', 'idle', '--minutes', '60', '--json')).out);
  expect(history).toMatchObject({ part_seconds: 75, parts: [], models: [] });
  expect((await runIn(env, 'channel', 'history', 'idle')).out).toBe('none\n\nnone\n');
  expect(await runIn(env, 'channel', 'history', 'nosuch')).toMatchObject({
    code: 1,
    err: 'mediagate: nosuch: Nothing was found with this id.\n',
  });
  const probed = await runIn(env, 'channel', 'probe', 'idle', '--reason', 'ticket 17');
  expect(probed).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^idle: reachable \(HTTP 200\); key taken; unknown: two/),
  });
  expect((await runIn({ ...env, IMAGES_KEY: 'sk-other' }, 'channel', 'probe', 'idle')).out).toContain('KEY REFUSED');
  expect(await world.notes('idle')).toMatchObject([
    { actor: 'cli:ada', action: 'channel.probe', detail: { reason: 'ticket 17', after: { key: 'taken' } } },
    { detail: { after: { key: 'refused' } } },
  ]);
  expect((await runIn(env, 'channel', 'probe', 'nobody')).code).toBe(1);
  await new Promise((resolve) => vendor.close(resolve));
  await runSql(world.database, `delete from audit_log where subject = 'idle'`);
});

it('sets a channel over the file, shows who did, and takes it back', async () => {
  const env = configured();
  const json = async (...words: string[]) => JSON.parse((await runIn(env, 'channel', ...words, '--json')).out);
  const idle = async () => (await json('list')).data.find(({ id }: { id: string }) => id === 'idle');
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
  const shown = (await runIn(env, 'settings', 'show')).out.split('\n\n');
  expect(shown.find((part) => part.startsWith('Channel idle\n'))).toMatch(/^weight +7 +database$/m);
  expect(shown.find((part) => part.startsWith('Channel idle\n'))).toMatch(/^state +draining +database$/m);
  await json('reset', 'idle');
  expect(await idle()).toMatchObject({ state: 'enabled', weight: 1, override: null });
  expect((await world.notes('idle')).map(({ detail }) => detail)).toMatchObject([
    { before: { weight: null }, after: { weight: 7 } },
    { before: { state: null }, after: { state: 'draining' }, reason: 'rotating keys' },
    { before: { state: 'draining', weight: 7 }, after: { state: null, weight: null } },
  ]);
  expect(await runIn(env, 'channel', 'drain', 'nobody')).toMatchObject({
    code: 1,
    out: '',
  });
});

it('sets fields and adds channels in the words of the file, from its own words or from stdin, and says what does not fit', async () => {
  const env = configured(CHANNELS, { MEDIAGATE_SEALING_SECRET: '1'.repeat(32) });
  const set = await runIn(env, 'channel', 'set', 'idle', '{ max_concurrency: 9, vendor: acme }', '--json');
  expect(JSON.parse(set.out)).toMatchObject({ max_concurrency: 9, settings: { vendor: 'acme', max_concurrency: 9 } });
  const checked = async (...words: string[]) => JSON.parse((await runIn(env, ...words, '--json')).out);
  const limitOf = ({ channels }: { channels: { id: string; max_concurrency: number | null }[] }) =>
    channels.find(({ id }) => id === 'idle')?.max_concurrency;
  const inForce = await checked('channel', 'check');
  expect([limitOf(inForce), typeof inForce.version]).toEqual([9, 'number']);
  const [model = ''] = Object.keys(inForce.channels.find(({ id }: { id: string }) => id === 'idle').models);
  await runIn(env, 'channel', 'drain', 'idle');
  const drained = await checked('channel', 'check');
  expect(drained.channels).toContainEqual(expect.objectContaining({ id: 'idle', state: 'draining' }));
  expect([drained.paused.includes(model), drained.uncovered.includes(model)]).toEqual([true, false]);
  const seen = (await runIn(env, 'channel', 'check')).out;
  expect(seen).toMatch(new RegExp(`^${model} .*idle .*, draining\\)`, 'm'));
  expect(seen).toContain('paused, as operators have closed their channels: ');
  await runIn(env, 'channel', 'set', 'idle', '{ state: file }');
  for (const alone of [
    await checked('config', 'check'),
    await checked('channel', 'check', '--config', env.MEDIAGATE_CONFIG),
  ])
    expect([limitOf(alone), alone.version]).toEqual([null, null]);
  expect((await runIn(env, 'channel', 'show', 'idle')).out).toMatch(/^max_concurrency +9 +set by cli:ada$/m);
  const wrong = await runIn(env, 'channel', 'set', 'idle', '{ weight: 0, colour: red }');
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringContaining('settings.weight is not accepted: must be a whole number from 1 to 1000'),
  });
  expect(wrong.err).toContain('settings.colour is not accepted: unknown key');
  const text = `
    protocol: openai-images
    base_url: https://v.example/v1
    api_key: ${ref('secret:own')}
    models: { imagegen-2: two }`;
  await runWithInput(env, 'sk-own', 'secret', 'set', 'own');
  const added = await runWithInput(env, text, 'channel', 'add', 'own', '-');
  expect(added).toMatchObject({ code: 0, err: '' });
  expect((await runIn(env, 'channel', 'add', 'own', text)).code).toBe(1);
  expect(await runIn(env, 'channel', 'remove', 'own')).toMatchObject({
    code: 0,
    out: 'channel own takes no tasks any more; it has no job under way\n',
  });
  expect(await runIn(env, 'channel', 'remove', 'idle')).toMatchObject({
    code: 1,
    out: '',
  });
  expect((await runIn(env, 'channel', 'reset', 'idle')).code).toBe(0);
  expect((await runIn(env, 'secret', 'remove', 'own')).code).toBe(0);
});

it('takes a key of a vendor from stdin, shows it nowhere, and seals all anew under another secret', async () => {
  const [first, second] = ['1'.repeat(32), '2'.repeat(32)];
  const env = configured(CHANNELS, { MEDIAGATE_SEALING_SECRET: first });
  const both = { ...env, MEDIAGATE_SEALING_SECRET: second, MEDIAGATE_PREVIOUS_SEALING_SECRET: first };
  expect(await runWithInput(env, 'sk-of-acme\n', 'secret', 'set', 'acme')).toMatchObject({ code: 0, err: '' });
  await runIn(env, 'channel', 'set', 'idle', `{ api_key: '${ref('secret:acme')}' }`);
  const list = async (by: Record<string, string>) =>
    JSON.parse((await runIn(by, 'secret', 'list', '--json')).out).data[0];
  expect(await list(env)).toMatchObject({ name: 'acme', channels: ['idle'], can_be_opened: true, set_by: 'cli:ada' });
  const opensUnderSecond = async () => (await list({ ...env, MEDIAGATE_SEALING_SECRET: second })).can_be_opened;
  expect(await opensUnderSecond()).toBe(false);
  expect((await runIn(both, 'secret', 'reseal')).code).toBe(0);
  expect(await opensUnderSecond()).toBe(true);
  expect(JSON.stringify(await world.notes('acme'))).not.toContain('sk-of-acme');
  const nothing = await runWithInput(env, ' ', 'secret', 'set', 'acme');
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining('nothing on the standard input') });
  expect((await runWithInput({ ...env, MEDIAGATE_SEALING_SECRET: undefined }, 'x', 'secret', 'set', 'a')).code).toBe(1);
  expect((await runIn(env, 'channel', 'reset', 'idle')).code).toBe(0);
  expect((await runIn(env, 'secret', 'remove', 'acme')).code).toBe(0);
  expect(await runIn(env, 'secret', 'remove', 'acme')).toMatchObject({ code: 1, err: expect.stringContaining('acme') });
  configured('channels: 7');
  expect((await runIn(env, 'secret', 'list')).code).toBe(1);
  expect((await runWithInput(env, 'sk-of-acme', 'secret', 'set', 'acme')).code).toBe(0);
});

it('takes a certificate and the account of a vendor, which have several lines, and no other key of several lines', async () => {
  const env = { ...world.env, MEDIAGATE_SEALING_SECRET: 's'.repeat(32) };
  const set = (name: string, input: string) => runWithInput(env, input, 'secret', 'set', name);
  const { certificate } = makeDevelopmentCertificate();
  const whenItCounts = expect.stringContaining('workers take it up within 30 seconds');
  expect(await set('signing.own', certificate)).toMatchObject({ code: 0, err: '', out: whenItCounts });
  const sealer = openVendorSealer(env);
  expect(await readSigningSecret({ database: world.database, sealer }, 'signing.own')).toBe(certificate.trim());
  const account = JSON.stringify({ client_email: 'a@b.example', private_key: 'PEM' }, null, 2);
  expect(await set('google', account)).toMatchObject({ code: 0, err: '' });
  const refused = await set('acme', 'sk-first\nsk-second\n');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('a key of several lines is JSON') });
});

it('sets a price over the file from a moment on, and shows where prices come from', async () => {
  const env = configured(`${CHANNELS}\nprices: { imageseed-4.0: { per_image: 0.5 } }\n`);
  const json = async (...words: string[]) => JSON.parse((await runIn(env, 'price', ...words, '--json')).out);
  const from = new Date(Date.now() + 3_600_000).toISOString();
  expect(await json('set', 'imageseed-4.0', '0.25', '--from', from)).toMatchObject({
    effective_at: Math.ceil(Date.parse(from) / 1000),
  });
  expect((await json('list', '--model', 'imageseed-4.0')).data).toMatchObject([
    { key: 'imageseed-4.0', unit: 'per_image', price: 0.5, origin: 'file', changes_at: expect.any(Number) },
  ]);
  expect((await json('history')).data).toMatchObject([{ key: 'imageseed-4.0', price: 0.25, set_by: 'cli:ada' }]);
  const early = await runIn(env, 'price', 'set', 'imageseed-4.0', '1', '--from', new Date().toISOString());
  expect(early).toMatchObject({ code: 2, err: expect.stringContaining("'--from <time>'") });
  const wrong = await runIn(env, 'price', 'set', 'imageseed-4.0', '{"per_mile": 1}');
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('per_image') });
});

it('reports what was used and what it earned, by the vendors of the file, as a table, JSON and CSV', async () => {
  const env = configured(
    CHANNELS.replace('{ id: idle, protocol: openai-images,', '{ id: idle, vendor: acme, protocol: openai-images,'),
  );
  const report = (...words: string[]) => runIn(env, 'report', ...words);
  const payer = await fundedKey(world.database);
  const [taskId, { accountId }] = [await acceptedTask(world.database, payer), payer];
  const cost = { nano: 1_000_000_000n, origin: 'declared' } as const;
  const call = { channelId: 'idle', protocol: 'p', state: 'succeeded', cost, beganAt: 0, endedAt: 1 } as const;
  const units = { image_output: 83_333n };
  const outcome = { kind: 'completed', costNano: 2_500_000_000n, units, result: {} } as const;
  await createFinisher(world.database)({ taskId, accountId, fence: 'any', outcome, calls: [call] });
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
  const inShanghai = ['--timezone', 'Asia/Shanghai', '--json'];
  const day = await report('margin', '--from', '2026-11-01', '--to', '2026-11-01', ...inShanghai);
  expect(JSON.parse(day.out)).toMatchObject({
    from: Date.parse('2026-10-31T16:00:00Z') / 1000,
    to: Date.parse('2026-11-01T16:00:00Z') / 1000,
  });
  expect(JSON.parse((await invoice(...inShanghai)).out)).toMatchObject({ month, timezone: 'Asia/Shanghai' });
  expect((await report('margin', '--timezone', 'Shanghai')).code).toBe(2);
  expect((await report('margin', '--group-by', 'colour')).code).toBe(2);
  expect((await report('margin', '--from', '2026-02-01', '--to', '2026-01-01')).code).toBe(1);
});

it('exports one file that alone says what the file, the database and its prices come to', async () => {
  const costs = 'imageseed-4.0: { per_image: 0.000000015 }';
  const env = configured(
    `${CHANNELS}  - { id: ark, protocol: ark-images, base_url: 'https://a.example', api_key: '\${ARK_KEY}',
      models: { imageseed-4.0: { name: seedream, served_until: 2027-01-06 } }, costs: { ${costs} } }
prices: { imagegen-2: { image_output: 25.00 }, videoa-3.0-video: { per_second: { 480P: 0.30 } } }
webhooks: { allow_ports: [8443] }
`,
    { ARK_KEY: 'sk-ark' },
  );
  const run = async (...words: string[]) => expect(await runIn(env, ...words)).toMatchObject({ code: 0, err: '' });
  await run('channel', 'set', 'idle', '{ weight: 5, priority: 2 }');
  await run('channel', 'drain', 'ark');
  await run('delivery', 'schedule', '{ retry_delays_seconds: [5, 50] }');
  await runSql(world.database, 'alter table setting_steps disable trigger setting_steps_in_time');
  await runSql(world.database, 'alter table price_overrides disable trigger price_overrides_in_time');
  const own = {
    protocol: 'openai-images',
    base_url: 'https://o.example',
    api_key: ref('IMAGES_KEY'),
    models: { 'imagegen-2': 'two' },
  };
  for (const [field, value] of Object.entries(own))
    await runSql(
      world.database,
      `insert into setting_steps (version, section, name, field, value, effective_at, set_by)
        values (9, 'channels', 'own', '${field}', '${JSON.stringify(value)}', now(), 'test')`,
    );
  const price = '{"units": {"per_second.480P": "123456789", "per_second.720P": "600000000"}}';
  await runSql(
    world.database,
    `insert into price_overrides (billing_key, price, effective_at, set_by) values ('videoa-3.0-video', '${price}', now(), 'test')`,
  );
  await run('price', 'set', 'imagegen-2', '{"image_output": 99}', '--from', '2099-01-01');
  const exported = await runIn(env, 'config', 'export');
  expect([exported.code, exported.err]).toEqual([0, expect.stringContaining('price of imagegen-2 from 2099-01-01')]);
  const other = join(String(world.env['MEDIAGATE_HOME']), 'exported.yaml');
  writeFileSync(other, exported.out);
  const before = openSettings(env.MEDIAGATE_CONFIG, env).settings;
  const { settings: after } = openSettings(other, env);
  const byId = ({ channels, closedChannels }: typeof after) =>
    new Map([...channels, ...closedChannels].map((channel) => [channel.id, channel]));
  const [written, read] = [byId(before), byId(after)];
  expect([...read.keys()].sort()).toEqual([...written.keys(), 'own'].sort());
  expect(read.get('idle')).toEqual({ ...written.get('idle'), weight: 5, priority: 2 });
  expect(read.get('ark')).toEqual(written.get('ark'));
  expect(after.closedChannels.map(({ id }) => id).sort()).toEqual(['ark', 'draining']);
  expect(read.get('own')).toMatchObject({ baseUrl: 'https://o.example', apiKey: 'sk-very-secret' });
  expect(after.prices).toEqual(
    new Map([
      ...before.prices,
      [
        'videoa-3.0-video',
        {
          units: new Map([
            ['per_second.480P', 123_456_789n],
            ['per_second.720P', 600_000_000n],
          ]),
        },
      ],
    ]),
  );
  expect(after.webhooks).toEqual({ ...before.webhooks, retryDelaysSeconds: [5, 50] });
  expect([after.media, after.uploads, after.storage]).toEqual([before.media, before.uploads, before.storage]);
  expect(exported.out).not.toContain('sk-');
  expect((await runIn(env, 'config', 'check', other)).code).toBe(0);
});
