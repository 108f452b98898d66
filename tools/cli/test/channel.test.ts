import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from './world';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'mediagate-channels-'));
});
afterAll(() => rmSync(home, { recursive: true }));

const opened: Server[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server): Promise<string> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function configured(text: string): Record<string, string> {
  const path = join(home, 'channels.yaml');
  writeFileSync(path, text);
  return { MEDIAGATE_HOME: home, MEDIAGATE_CONFIG: path, IMAGES_KEY: 'sk-very-secret' };
}

const channelsAt = (main: string, backup: string) => `
channels:
  - { id: backup, protocol: openai-images, base_url: '${backup}/v1', api_key: '\${IMAGES_KEY}', priority: 2,
      models: { imagegen-2.5-flare: flare-b } }
  - { id: main, protocol: openai-images, base_url: '${main}/v1', api_key: '\${IMAGES_KEY}', max_concurrency: 50,
      models: { imagegen-2.5-flare: flare, imagegen-2: two } }
`;

describe('channel check', () => {
  it('takes the file that --config names, before that of the environment', async () => {
    const { MEDIAGATE_CONFIG: path = '', ...env } = configured(channelsAt('https://a.example', 'https://b.example'));
    const ran = await runIn(
      { ...env, MEDIAGATE_CONFIG: '/nowhere.yaml' },
      'channel',
      'check',
      '--config',
      path,
      '--json',
    );
    expect(JSON.parse(ran.out)).toMatchObject({ config: path, faults: [] });
    expect((await runIn({}, 'channel', 'check', '--help')).out).toContain('--config <file>');
  });

  it('shows what a file makes of the catalogue, and what no channel serves, but no secret', async () => {
    const env = configured(channelsAt('https://main.example', 'https://backup.example'));
    const [forPeople, forMachines] = [
      await runIn(env, 'channel', 'check'),
      await runIn(env, 'channel', 'check', '--json'),
    ];
    expect(forPeople).toMatchObject({ code: 0, err: '' });
    expect(forPeople.out).toMatch(/^imagegen-2.5-flare +main \(flare\), backup \(flare-b\)$/m);
    expect(forPeople.out).toMatch(/^not served by any channel: .*imageseed-4.0/m);
    expect(forMachines).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(forMachines.out)).toEqual({
      config: env['MEDIAGATE_CONFIG'],
      digest: expect.stringMatching(/^[0-9a-f]{12}$/),
      version: null,
      channels: [
        {
          id: 'backup',
          protocol: 'openai-images',
          base_url: 'https://backup.example/v1',
          priority: 2,
          weight: 1,
          state: 'enabled',
          max_concurrency: null,
          models: { 'imagegen-2.5-flare': 'flare-b' },
        },
        {
          id: 'main',
          protocol: 'openai-images',
          base_url: 'https://main.example/v1',
          priority: 1,
          weight: 1,
          state: 'enabled',
          max_concurrency: 50,
          models: { 'imagegen-2.5-flare': 'flare', 'imagegen-2': 'two' },
        },
      ],
      retirements: [],
      paused: [],
      uncovered: expect.arrayContaining(['imageseed-4.0', 'imagegen-2.5-sunburst']),
      faults: [],
    });
    expect(forPeople.out + forMachines.out).not.toContain('very-secret');
  });

  it('prints every fault of a file at once and ends with code 1', async () => {
    const env = configured(
      `channels:\n  - { id: main, protocol: telepathy, base_url: nowhere, api_key: '\${NO_KEY}' }\n`,
    );
    const [forPeople, forMachines] = [
      await runIn(env, 'channel', 'check'),
      await runIn(env, 'channel', 'check', '--json'),
    ];
    const { channels, faults } = JSON.parse(forMachines.out);
    expect([forPeople.code, forMachines.code, channels]).toEqual([1, 1, []]);
    for (const part of ['telepathy', 'base_url', 'NO_KEY', 'models']) {
      const where = part === 'telepathy' ? 'protocol' : part;
      expect(faults).toContainEqual(expect.stringContaining(where));
      expect(forPeople.out).toContain(where);
    }
  });

  it.each([
    'price list',
    'price set imageseed-4.0 1',
    'report usage',
    'report margin',
    'channel list',
    'settings show',
    'secret list',
    'config export',
    'delivery schedule',
    'vendor verify --channel main --spend 1',
  ])('prints the faults of a file as the answer of %s', async (words) => {
    const env = configured('channels: 7\n');
    const ran = await runIn(env, ...words.split(' '), '--json');
    expect(ran).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(ran.out).faults).toEqual([expect.stringContaining('channels.yaml:1:channels: ')]);
  });

  it('warns of models that their vendors end within 60 days, and ends with code 1 where one has ended', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const ending = (days: number) => {
      const served = `{ name: flare, served_until: ${inDays(days)}, replaced_by: next }`;
      return configured(
        channelsAt('https://main.example', 'https://backup.example').replace(': flare,', `: ${served},`),
      );
    };
    expect((await runIn(ending(61), 'channel', 'check')).out).not.toContain('warning');
    const warned = await runIn(ending(60), 'channel', 'check');
    expect(warned).toMatchObject({ code: 0 });
    expect(warned.out).toContain(
      `warning: main serves imagegen-2.5-flare by flare, which its vendor ends on ${inDays(60)}, in 60 days; it is followed by next`,
    );
    const { code, out } = await runIn(ending(-1), 'channel', 'check', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out).retirements).toEqual([
      {
        channel: 'main',
        model: 'imagegen-2.5-flare',
        upstream_model: 'flare',
        served_until: inDays(-1),
        replaced_by: 'next',
        days_left: -1,
        stage: 'ended',
      },
    ]);
  });

  it('names the line and field of a model that its protocol cannot serve, and the protocols that can', async () => {
    const images = `{ id: main, protocol: openai-images, base_url: 'https://v.example', api_key: '\${IMAGES_KEY}'`;
    const env = configured(
      `channels:\n  - ${images},\n      models: { imagegen-2: two, musicgen: V5, moderation-latest: m } }\n`,
    );
    const { code, out } = await runIn(env, 'channel', 'check', '--json');
    const cannot = 'the protocol openai-images cannot serve this model: map it in a channel of';
    expect([code, JSON.parse(out).faults]).toEqual([
      1,
      [
        `${env['MEDIAGATE_CONFIG']}:3:channels[0].models.musicgen: ${cannot} elevenlabs, http-job, local-audio, sunoapi, ttapi-suno`,
        `${env['MEDIAGATE_CONFIG']}:3:channels[0].models.moderation-latest: ${cannot} openai-moderations`,
      ],
    ]);
  });

  it('says where it looked for a file that is not there', async () => {
    const { code, out } = await runIn({ MEDIAGATE_CONFIG: '/nowhere/channels.yaml' }, 'channel', 'check');
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('/nowhere/channels.yaml') });
  });

  it('checks the configuration of npm start by default', async () => {
    const { code, out } = await runIn({ MEDIAGATE_HOME: home }, 'channel', 'check', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      config: expect.stringContaining('simulator.yaml'),
      uncovered: [],
      faults: [],
    });
  });

  it('asks each vendor with its key what costs nothing, and ends with code 1 where something is to be mended', async () => {
    const asked: unknown[] = [];
    const main = await listen(
      createServer((request, response) => {
        asked.push([request.method, request.url, request.headers.authorization]);
        const data = [{ id: 'flare', shutdown_date: '2027-01-06' }, { id: 'flare-b' }];
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
      }),
    );
    const stranger = await listen(createServer((_request, response) => response.writeHead(401).end()));
    const probe = async (backup: string) =>
      runIn(configured(channelsAt(main, backup)), 'channel', 'check', '--probe', '--json');
    const { code, out } = await probe('http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(JSON.parse(out).channels).toMatchObject([
      { id: 'backup', reachable: false, key: 'unproved', detail: 'not sent: network ECONNREFUSED' },
      {
        id: 'main',
        reachable: true,
        key: 'taken',
        upstream_models: [
          { name: 'flare', known: true, served_until: '2027-01-06' },
          { name: 'two', known: false, served_until: null },
        ],
      },
    ]);
    expect(asked).toEqual([['GET', '/v1/models', 'Bearer sk-very-secret']]);
    expect(JSON.parse((await probe(stranger)).out).channels).toMatchObject([{ key: 'refused' }, { key: 'taken' }]);
    const { out: table } = await runIn(configured(channelsAt(main, stranger)), 'channel', 'check', '--probe');
    expect(table).toContain('KEY REFUSED');
    expect(table).toContain('reachable (HTTP 200); key taken; unknown: two; its list serves flare until 2027-01-06');
    expect(table + out).not.toContain('very-secret');
  });

  it('says that it passes by a proxy of the environment, without its address, unless that is meant or nobody is asked', async () => {
    const vendor = await listen(createServer((_request, response) => response.writeHead(401).end()));
    const errorsOf = async (env: Record<string, string>, ...words: string[]) => {
      const whole = {
        ...configured(channelsAt(vendor, vendor)),
        https_proxy: 'http://me:secret@proxy.example',
        ...env,
      };
      return (await runIn(whole, 'channel', 'check', ...words)).err;
    };
    const asked = await errorsOf({}, '--probe');
    expect(asked).toContain('HTTPS_PROXY is set, but vendors are asked directly');
    expect(asked).not.toMatch(/secret|proxy\.example/);
    expect(await errorsOf({ CONNECT_DIRECTLY: '1' }, '--probe')).toBe('');
    expect(await errorsOf({})).toBe('');
  });
});
