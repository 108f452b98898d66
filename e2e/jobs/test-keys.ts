import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@mediagate/testkit';
import OpenAI from 'openai';
import { download } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';

let system: System;
let account: SystemAccount;
beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(0n, { isTest: true });
});

async function attemptsOf(taskId: string): Promise<string[]> {
  const attempts = await system.attempts(taskId);
  return attempts.map(({ channelId }) => channelId);
}

/** One more that fails is the last. */
const TRIED_STEPS = 5;
const VIDEO = { model: 'videod-02', path: '/v1/videos/generations' };
/** Its vendor answers with the file itself. */
const TRACK = { model: 'musictrack-2', path: '/v1/music/generations' };
const FAILURES: readonly [reason: string, fields: { model?: string; path?: string }][] = [
  ['content_policy', {}],
  ['upstream_error', {}],
  ['outcome_unknown', {}],
  ['no_upstream', {}],
  ['result_unavailable', VIDEO],
  ['result_unavailable', TRACK],
  ['upstream_error', TRACK],
];

const bytesOf = async (link = '') =>
  createHash('sha256')
    .update(await download(link))
    .digest('hex');

it('is free, goes to a channel of tests, is marked in record and callback, and is the same again', async () => {
  const { caller } = account;
  const webhook = system.simulator.receiverUrl('of-tests');
  const records = [
    await caller.ended(await caller.submit({ prompt: 'a harbour', webhook })),
    await caller.ended(await caller.submit({ prompt: 'a harbour' })),
  ];
  for (const record of records) {
    expect(record).toMatchObject({ status: 'completed', test: true, cost: 0 });
    expect(await attemptsOf(record.id)).toEqual(['test-images-openai']);
  }
  const [one, again] = await Promise.all(records.map(({ result }) => bytesOf(result?.images[0]?.url[0])));
  expect(one).toBe(again);
  const [callback] = await system.simulator.received('of-tests', 1);
  expect(JSON.parse(callback?.body ?? '')).toMatchObject({ test: true, cost: 0 });
  expect(await system.audit()).toEqual([]);
});

it.each(FAILURES)('fails for %s where its prompt says so %j', async (reason, { path, ...fields }) => {
  const { caller } = account;
  const id = await caller.submit({ prompt: `a boat test:fail:${reason}`, ...fields }, path);
  await until(async () => {
    // As if it had been tried for half a minute.
    await system.database.task.updateMany({ where: { id, completedAt: null }, data: { failedSteps: TRIED_STEPS } });
    return (await caller.get(`/v1/tasks/${id}`)).body.data.status === 'failed';
  });
  expect(await caller.ended(id)).toMatchObject({ status: 'failed', test: true, error: { reason } });
});

it('is tried with every word that the document has', () => {
  const document = readFileSync(join(__dirname, '../../docs/test-keys.md'), 'utf8');
  const documented = [...document.matchAll(/^\| `test:fail:(\w+)` \|/gm)].map(([, reason]) => reason);
  expect(new Set(FAILURES.map(([reason]) => reason))).toEqual(new Set(documented));
});

it.each([
  ['content_policy', 400, 'content_policy_violation'],
  ['upstream_error', 502, 'upstream_error'],
  ['outcome_unknown', 502, 'outcome_unknown'],
])('that OpenAI’s client makes fails for %s as an error of its own', async (reason, status, code) => {
  const client = new OpenAI({ apiKey: account.key, baseURL: `${system.baseUrl}/openai/v1`, maxRetries: 0 });
  const image = { model: 'imagegen-2.5-flare', prompt: `a boat test:fail:${reason}`, quality: 'low' } as const;
  await expect(client.images.generate(image)).rejects.toMatchObject({ status, code });
});

it.each([
  ['content_policy', 400],
  ['outcome_unknown', 502],
  ['no_upstream', 503],
])('that is spoken is refused for %s where its text says so', async (reason, status) => {
  const sent = { model: 'ttsmodel-mini', voice: 'alloy', input: `Land ahoy test:fail:${reason}` };
  const answer = await account.caller.post('/v1/audio/speech', sent);
  expect([answer.status, answer.body.error?.reason]).toEqual([status, reason]);
});

it('leaves the channel in order for others, however often it fails', async () => {
  const { caller } = account;
  const failing = { model: 'ttsmodel-mini', voice: 'alloy', input: 'Ahoy test:fail:no_upstream' };
  await Promise.all(Array.from({ length: 8 }, () => caller.post('/v1/audio/speech', failing)));
  const answer = await caller.post('/v1/audio/speech', { ...failing, input: 'Ahoy' });
  expect(answer.status).toBe(200);
});

it('takes as long as its prompt says', async () => {
  const { caller } = account;
  const began = Date.now();
  await caller.ended(await caller.submit({ prompt: 'a boat test:slow:2' }));
  expect(Date.now() - began).toBeGreaterThanOrEqual(2_000);
});
