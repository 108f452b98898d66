import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { inspectImage } from '@mediagate/media';
import { BROWSER_ARGUMENTS, findBrowser } from '@mediagate/testkit';
import { pythonPrograms } from '@mediagate/testkit/servers';
import { chromium } from 'playwright-core';
import type { MediaHost } from '../../system/media-host';
import { type PackedClient, packClient } from '../../system/packed-client';
import { freePort } from '../../system/service-process';
import { sharedSystem } from '../../system/shared-system';
import type { System } from '../../system/start-system';

const UNIT = 1_000_000_000n;
const INSTALL_LIMIT_MS = 300_000;
const RUN_LIMIT_MS = 120_000;

const SEEN = {
  estimate: true,
  again: true,
  seen: [true, 'completed'],
  task: ['completed', { order: '7', runtime: 'any' }, true],
  shown: ['a lighthouse', ['settle', 'hold']],
  listed: [true, 2],
  ledger: ['settle', 'hold'],
  money: [true, true],
  callback: ['dropped', ['dropped']],
  cancelled: ['failed', 'cancelled', true],
  keys: [true, 2, 2, true, 'number'],
  files: [
    'image',
    true,
    true,
    'completed',
    [404, 'not_found', null, [], 'string'],
    [400, 'bad_media', 'file', ['file'], 'string'],
  ],
  around: [true, 'not_found', true, true, 'object'],
  refused: [
    [400, 'missing_parameter', 'prompt', ['prompt', 'n'], 'string'],
    [400, 'unsupported_parameter', 'colour', ['colour'], 'string'],
    [409, 'not_cancellable', null, [], 'string'],
    [404, 'not_found', null, [], 'string'],
    [401, 'unauthenticated', null, [], 'string'],
  ],
};

let system: System;
let media: MediaHost;
let client: PackedClient;
beforeAll(async () => {
  ({ system, media } = await sharedSystem());
  client = await packClient();
}, INSTALL_LIMIT_MS);
afterAll(() => client.remove());

/** A caller of its own for each run: the tour counts its money. */
async function caller() {
  const { key } = await system.account(10n * UNIT, { maxConcurrent: 1, canManage: true });
  return { BASE_URL: system.baseUrl, BASE: system.baseUrl, KEY: key };
}

const python = pythonPrograms('e2e/clients/requirements.txt');

describe('the packed client', () => {
  it('is what is built, its types, and nothing else', () => {
    const others = client.files.filter((file) => !/^dist\/.*\.(?:js|d\.ts)$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  });

  it('holds a caller in TypeScript to the API, in Node’s way of resolving and in bundlers’', async () => {
    for (const how of ['nodenext', 'bundler']) {
      const strict = [
        '--strict',
        '--exactOptionalPropertyTypes',
        '--noEmit',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom',
      ];
      const module = ['--module', how === 'bundler' ? 'esnext' : how, '--moduleResolution', how];
      const compiler = resolve('node_modules/.bin/tsc');
      expect(await client.run(compiler, [...strict, ...module, 'typed-caller.ts'])).toBe('');
    }
  });

  it(
    'does in Node what it says',
    async () => {
      expect(JSON.parse(await client.run(process.execPath, ['run-tour.mjs'], await caller()))).toEqual(SEEN);
    },
    RUN_LIMIT_MS,
  );

  (python === undefined ? it.skip : it)(
    'does the same in Deno',
    async () => {
      const args = ['run', '--no-prompt', '--allow-net', '--allow-env', '--node-modules-dir=manual', 'run-tour.mjs'];
      const env = { ...(await caller()), DENO_DIR: join(client.folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
      expect(JSON.parse(await client.run(join(String(python), 'deno'), args, env))).toEqual(SEEN);
    },
    RUN_LIMIT_MS,
  );
});

const browser = findBrowser();
if (browser === undefined) {
  process.stderr.write('SKIPPED: no browser is here and none could be installed: the client was not seen in one.\n');
}

(browser === undefined ? it.skip : it)(
  'the packed client does the same in a browser, in a page of another origin',
  async () => {
    const page = await servePage(client.folder);
    const program = await chromium.launch({ executablePath: browser as string, args: BROWSER_ARGUMENTS });
    try {
      const tab = await program.newPage();
      await tab.goto(page.origin);
      const { BASE_URL, KEY } = await caller();
      const seen = await tab.evaluate(`import('/tour.mjs').then(({ tour }) => tour('${BASE_URL}', '${KEY}'))`);
      expect(seen).toEqual(SEEN);
    } finally {
      await program.close();
      page.stop();
    }
  },
  RUN_LIMIT_MS,
);

const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">
{"imports": {"@mediagate/client": "/node_modules/@mediagate/client/dist/index.js"}}</script>`;

/** A page, and the modules of a folder. */
async function servePage(folder: string) {
  const server = createServer(({ url = '/' }, response) => {
    const file = join(folder, url);
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(PAGE);
    if (!existsSync(file)) return void response.writeHead(404).end();
    createReadStream(file).pipe(response.setHeader('content-type', 'text/javascript'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.closeAllConnections() ?? server.close() };
}

describe('the examples of its README', () => {
  it(
    'make an image',
    async () => {
      await client.writeExample('image.mjs', 'js', 'onUpdate');
      const printed = await client.run(process.execPath, ['image.mjs'], await caller());
      expect(printed).toMatch(/^100 %\nhttp\S+ 0\.\d+$/m);
    },
    RUN_LIMIT_MS,
  );

  it(
    'send a file, and fetch what was made of it',
    async () => {
      await client.writeExample('night.mjs', 'js', 'openAsBlob');
      await writeFile(join(client.folder, 'boat.png'), await bytesOf(media.url('first.jpg')));
      await client.run(process.execPath, ['night.mjs'], await caller());
      expect(await inspectImage(await readFile(join(client.folder, 'night.png')))).toMatchObject({ format: 'png' });
    },
    RUN_LIMIT_MS,
  );

  it('say what is wrong with a body', async () => {
    await client.writeExample('fault.mjs', 'js', 'n: 99');
    const printed = await client.run(process.execPath, ['fault.mjs'], await caller());
    expect(printed).toMatch(/^400 invalid_parameter n \S+\nn: n must be/);
  });

  it('receive a callback, and none that is another’s', async () => {
    await client.writeExample('receiver.mjs', 'js', 'createServer');
    const account = await system.account(10n * UNIT);
    await account.caller.submit({ webhook: system.simulator.receiverUrl('readme') });
    const [callback] = await system.simulator.received('readme', 1);
    if (callback === undefined) throw new Error('no callback came');
    const receiver = await startReceiver(account.webhookSecret);
    try {
      const { headers, body } = callback;
      const send = (sent: string) => fetch(receiver.url, { method: 'POST', headers: signatureOf(headers), body: sent });
      const statuses = [(await send(body)).status, (await send(body)).status, (await send(`${body} `)).status];
      expect(statuses).toEqual([204, 204, 401]);
      expect(receiver.printed()).toBe(`${headers['webhook-id']} completed\n`);
    } finally {
      await receiver.stop();
    }
  });
});

async function bytesOf(url: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

function signatureOf(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')));
}

/** The README's receiver, once it answers. */
async function startReceiver(secret: string) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/callback`;
  const { PATH } = process.env;
  const env = { PATH, PORT: port, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: client.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  while (!(await fetch(url).catch(() => undefined))) if (child.exitCode !== null) throw new Error('it has ended');
  return {
    url,
    printed: () => printed,
    async stop() {
      child.kill();
      await once(child, 'close');
    },
  };
}
