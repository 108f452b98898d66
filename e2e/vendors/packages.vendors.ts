import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { transformSync } from '@swc/core';
import { type SimulatorUnderTest, startUnderTest } from '../../simulator/test/simulator-under-test';
import { runIn } from '../../tools/cli/test/world';
import { startSystem } from '../system/start-system';

/*
 * A protocol of ours, moved out: its folder becomes a package that is handed the kit in place of what it imports, and that the
 * configuration file alone names. The folder stays: what every deployment has needs no second way in.
 */

const PROTOCOL = 'skyreels-video';
const OUTSIDE = 'skyreels-outside';
const OWN = join(__dirname, '../../packages/upstreams/src', PROTOCOL);
const PUBLIC_CLIENTS = join(__dirname, '../../simulator/test/public-clients');
const SECOND_PRICE = 64_000_000n;

const directory = mkdtempSync(join(tmpdir(), 'mediagate-outside-'));
const folder = join(directory, OUTSIDE);
let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: 0 });
  moveOut();
});
afterAll(async () => {
  await simulator.close();
  rmSync(directory, { recursive: true });
});

function moveOut(): void {
  cpSync(join(OWN, 'fixtures'), join(folder, 'fixtures'), { recursive: true });
  const asJavaScript = { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } } as const;
  for (const file of readdirSync(OWN).filter((name) => name.endsWith('.ts'))) {
    const code = readFileSync(join(OWN, file), 'utf8')
      .replace(`protocol: '${PROTOCOL}'`, `protocol: '${OUTSIDE}'`)
      .replaceAll(/from '(?:\.\.\/[\w-]+|@mediagate\/[\w-]+)'/g, "from './kit'");
    writeFileSync(join(folder, `${basename(file, '.ts')}.js`), transformSync(code, asJavaScript).code);
  }
  for (const [name, text] of Object.entries(packageFiles())) writeFileSync(join(folder, name), text);
}

/** The other files of a package. The judge is the public clients' facts, the simulator a door to ours. */
function packageFiles(): Record<string, string> {
  return {
    'kit.js': '',
    'index.js': `
      exports.contract = 1;
      exports.default = ({ http, kit }) => {
        Object.assign(require('./kit'), kit);
        return require('./adapter').default({ http });
      };`,
    'simulator.js': `
      const { createServer, request } = require('node:http');
      exports.key = 'sim-skyreels-key';
      exports.model = 'std';
      exports.default = () => createServer((asked, answer) => {
        const { method, headers, url } = asked;
        asked.pipe(request('${simulator.url}/skyreels' + url, { method, headers }, (reply) => {
          answer.writeHead(reply.statusCode, reply.headers);
          reply.pipe(answer);
        }));
      });`,
    'judge.js': `
      const { filled, readAs, readWitnesses } = require('${PUBLIC_CLIENTS}');
      exports.suite = { basePath: '', vendorWords: /skyreels|kunlun/i, answers: 'jobs', requires: ['image'] };
      exports.default = async ({ baseUrl, key }) => {
        const { clients } = readWitnesses().find(({ protocol }) => protocol === '${PROTOCOL}');
        for (const { steps } of clients) {
          const known = { key };
          for (const { path, body, ...step } of filled(steps, known)) {
            const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
            const reply = await fetch(baseUrl + filled(path, known), { method: step.method, ...sent });
            Object.assign(known, readAs(step, await reply.json()).kept);
          }
        }
      };`,
  };
}

it('the package passes `protocol test`', async () => {
  const { code, out } = await runIn({}, 'protocol', 'test', folder, '--json');
  expect(JSON.parse(out)).toMatchObject({ protocol: OUTSIDE, failed: [] });
  expect(code).toBe(0);
});

it('a worker that runs does a task by the package, and its books are right', async () => {
  const channels = [
    {
      id: 'outside',
      protocol: OUTSIDE,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as a configuration file has it.
      base_url: '${SIMULATOR_URL}/skyreels',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as a configuration file has it.
      api_key: '${SIM_SKYREELS_KEY}',
      models: { 'videoc-v4-std': 'std' },
    },
  ];
  const system = await startSystem({
    services: ['api', 'video'],
    config: JSON.stringify({ protocols: [folder], channels }),
  });
  try {
    const { caller } = await system.account(1_000_000_000_000n);
    const body = { model: 'videoc-v4-std', prompt: 'a heron', duration: 3, resolution: '480p' };
    const taskId = await caller.submit(body, '/v1/videos/generations');
    const { status, result } = await caller.ended(taskId);
    expect([status, result?.videos.length]).toEqual(['completed', 1]);
    const attempts = await system.attempts(taskId);
    expect(attempts).toMatchObject([{ channelId: 'outside', protocol: OUTSIDE, state: 'succeeded' }]);
    const { settledNano } = await system.database.reservation.findUniqueOrThrow({ where: { taskId } });
    expect(settledNano).toBe(3n * SECOND_PRICE);
    expect(await system.audit()).toEqual([]);
  } finally {
    await system.stop();
  }
});
