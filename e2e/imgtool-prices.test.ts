import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type System, type SystemAccount, startSystem } from './system/start-system';

/** Each level of the match order has a figure of its own. */
const PRICES = `
prices:
  imgtool@imagine-v7-fast: 0.11
  imgtool@imagine-v7: 0.12
  imgtool@imagine-fast: 0.13
  imgtool@imagine: 0.14
  imgtool: 0.15
  imgtool@describe: 0.16
  imgtool@video: 0.2
  imgtool@video-720p: 0.3
  imgtool@upscale-v7: 0.17
  imgtool@upscale: 0.18
`;
const FUNDS = 100;

let system: System<'api' | 'imgtool'>;
let account: SystemAccount;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediagate-prices-'));
  const shipped = await readFile(join(__dirname, '../deploy/config/simulator.yaml'), 'utf8');
  await writeFile(join(folder, 'channels.yaml'), shipped + PRICES);
  system = await startSystem({
    services: ['api', 'imgtool'],
    env: { MEDIAGATE_CONFIG: join(folder, 'channels.yaml') },
  });
  account = await system.account(BigInt(FUNDS) * 1_000_000_000n);
});
afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true });
});

const IMGTOOL = '/v1/imgtool/generations';
const fox = (flags: string) => ({ prompt: `a fox ${flags}` });
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAG0lEQVRYw+3BgQAAAADDoPlT3+AEVQEAAAB8AxBAAAEZszF2AAAAAElFTkSuQmCC';

interface Case {
  why: string;
  path: string;
  body: Record<string, unknown>;
  cost: number;
}

const CASES: Case[] = [
  { why: 'action, version and speed', path: '', body: fox('--v 7 --fast'), cost: 0.11 },
  { why: 'action and version, where its speed has no price', path: '', body: fox('--v 7 --turbo'), cost: 0.12 },
  { why: 'action and version for relax', path: '', body: { ...fox('--v 7'), speed: 'relax' }, cost: 0.12 },
  { why: 'action and version for no speed', path: '', body: fox('--v 7'), cost: 0.12 },
  { why: 'action and speed, where its version has no price', path: '', body: fox('--v 6.1 --fast'), cost: 0.13 },
  { why: 'action and speed for no version', path: '', body: { ...fox(''), speed: 'fast' }, cost: 0.13 },
  { why: 'action, where neither has a price', path: '', body: fox('--v 6.1'), cost: 0.14 },
  { why: 'action for neither', path: '/imagine', body: fox(''), cost: 0.14 },
  { why: 'another action', path: '/describe', body: { image_urls: [image] }, cost: 0.16 },
  { why: 'no action that has a price', path: '/blend', body: { image_urls: [image, image] }, cost: 0.15 },
  { why: 'one video', path: '/video', body: { image_urls: [image] }, cost: 0.2 },
  { why: 'two videos', path: '/video', body: { image_urls: [image], batch_size: 2 }, cost: 0.4 },
  {
    why: 'four large videos',
    path: '/video',
    body: { image_urls: [image], video_type: 720, batch_size: 4 },
    cost: 1.2,
  },
];

it('each level of the match order decides the cost of a record, in the specification’s order', async () => {
  const { caller } = account;
  const ids = await Promise.all(CASES.map(({ path, body }) => caller.submit(body, `${IMGTOOL}${path}`)));
  const records = await Promise.all(ids.map((id) => caller.ended(id, 90_000)));
  const billed = records.map(({ status, cost, error }, index) => [CASES[index]?.why, status, error?.message, cost]);
  expect(billed).toEqual(CASES.map(({ why, cost }) => [why, 'completed', undefined, cost]));
  const total = CASES.reduce((sum, { cost }) => sum + cost, 0);
  const { body } = await caller.get('/v1/balance');
  expect(body.used_balance).toBeCloseTo(total, 9);
  expect(body.remain_balance).toBe(-1);
  expect((await caller.get('/v1/user/balance')).body.remain_balance).toBeCloseTo(FUNDS - total, 9);
});

it('what works on an image is billed by the version of that image', async () => {
  const { caller } = account;
  const parents = await Promise.all(['--v 7', '--v 6.1'].map((version) => caller.submit(fox(version), IMGTOOL)));
  await Promise.all(parents.map((id) => caller.ended(id, 60_000)));
  const upscale = (task_id: string) => caller.submit({ task_id, index: 1 }, `${IMGTOOL}/upscale`);
  const records = (await Promise.all(parents.map(upscale))).map((id) => caller.ended(id, 60_000));
  expect((await Promise.all(records)).map(({ cost }) => cost)).toEqual([0.17, 0.18]);
});

it('the books are right', async () => {
  expect(await system.audit()).toEqual([]);
});
