import type { TaskId } from '@mediagate/contracts';
import { Registry } from 'prom-client';
import sharp from 'sharp';
import type { StoredOutput } from './profile';
import { createResultFingerprints } from './result-fingerprints';
import type { Run } from './run-state';

const TASK = { id: 'task_1' as TaskId, accountId: 'a', keyId: 'k', isTest: false } as Run['task'];
const FILE = { url: 'https://gateway.example/1', contentType: 'image/png', expiresAt: new Date(), sha256: '00' };
const OUTPUTS: StoredOutput[] = [
  { ...FILE, role: 'cover' },
  { ...FILE, role: 'image', hashes: [1n] },
  { ...FILE, role: 'image' },
];

async function counted(insertFingerprints: () => Promise<object[]>) {
  const register = new Registry();
  const warn = jest.fn();
  const deps = { database: { insertFingerprints }, register, logger: { warn }, ffmpeg: undefined };
  const fingerprints = createResultFingerprints({ fingerprints: 'on' }, deps);
  const { signal } = new AbortController();
  const damaged = { bytes: Buffer.from('no image'), contentType: 'image/png' };
  const stored: StoredOutput = { ...FILE, role: 'image' };
  expect(await fingerprints?.addHashes([stored], [damaged], { task: TASK, signal, msLeft: () => 600_000 })).toEqual([
    stored,
  ]);
  await fingerprints?.keep(TASK, OUTPUTS);
  const values = (await register.getMetricsAsJSON()).flatMap(({ values }) => values);
  return { warnings: warn.mock.calls.length, values: values.map(({ labels, value }) => [labels['state'], value]) };
}

it('counts files of results, but no covers, by what became of their fingerprints', async () => {
  const insert = jest.fn(async () => []);
  const { values, warnings } = await counted(insert);
  expect(insert.mock.calls).toMatchObject([
    [
      [
        { output: 1, hashes: [1n] },
        { output: 2, hashes: [] },
      ],
    ],
  ]);
  expect([values, warnings]).toEqual([
    [
      ['kept', 1],
      ['unseen', 1],
      ['lost', 0],
    ],
    1,
  ]);
});

it('loses no task where they cannot be kept', async () => {
  const { values, warnings } = await counted(() => Promise.reject(new Error('no database')));
  expect([values, warnings]).toEqual([
    [
      ['kept', 0],
      ['unseen', 0],
      ['lost', 2],
    ],
    2,
  ]);
});

it('looks at nothing while a task has no time left but for its end', async () => {
  const deps = { database: { insertFingerprints: jest.fn() }, register: new Registry(), logger: { warn: jest.fn() } };
  const fingerprints = createResultFingerprints({ fingerprints: 'on' }, { ...deps, ffmpeg: undefined });
  const png = {
    bytes: await sharp({
      create: {
        width: 64,
        height: 64,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .png()
      .toBuffer(),
    contentType: 'image/png',
  };
  const stored: StoredOutput = { ...FILE, role: 'image' };
  const run = { task: TASK, signal: new AbortController().signal };
  expect(await fingerprints?.addHashes([stored], [png], { ...run, msLeft: () => 60_000 })).toEqual([stored]);
  expect(deps.logger.warn).toHaveBeenCalledTimes(1);
  const [seen] = (await fingerprints?.addHashes([stored], [png], { ...run, msLeft: () => 600_000 })) ?? [];
  expect(seen?.hashes).toHaveLength(1);
});
