import { setTimeout as delay } from 'node:timers/promises';
import { asCalledBack } from '../system/caller';
import { type System, startSystem } from '../system/start-system';
import { killAtRandom } from './kill-at-random';

const JOBS = 300;
const KILLS = 15;
const UNIT = 1_000_000_000n;
const VICTIMS = ['image', 'api', 'webhook-delivery', 'redis', 'image'] as const;

let system: System;
beforeAll(async () => {
  const env = { SIM_IMAGE_MS: '100', WORKER_CONCURRENCY: '4' };
  system = await startSystem({ env, ownRedis: true });
}, 120_000);
afterAll(() => system.stop(), 120_000);

it('ends every job once, with clean books and every callback, while api, worker, sender and Redis keep dying', async () => {
  const { caller, accountId } = await system.account(1000n * UNIT);
  const webhook = system.simulator.receiverUrl('chaos');
  const prompts = Array.from({ length: JOBS }, (_, index) => `chaos job ${String(index).padStart(3, '0')}`);

  const submitting = submitAll(prompts);
  const kills = await killAtRandom(system, VICTIMS, KILLS);
  const taskIds = await submitting;
  const records = await Promise.all(taskIds.map((id) => caller.ended(id, 120_000)));

  expect(kills.length).toBe(KILLS);
  expect(new Set(taskIds).size).toBe(JOBS);
  expect(await system.database.task.count({ where: { accountId } })).toBe(JOBS);
  for (const record of records) {
    if (record.status === 'failed') expect(record.error?.message).toContain('outcome is unknown');
  }
  const journal = await system.simulator.journal();
  for (const prompt of prompts) {
    const started = journal.filter((entry) => entry.prompt === prompt && entry.accepted).length;
    expect({ prompt, started: Math.max(started, 1) }).toEqual({ prompt, started: 1 });
  }
  const received = await allCallbacks();
  for (const record of records) {
    const bodies = new Set(
      received.filter(({ headers }) => headers['webhook-id'] === record.id).map(({ body }) => body),
    );
    expect([...bodies].map((body) => JSON.parse(body))).toEqual([asCalledBack(record)]);
  }
  expect(await system.audit()).toEqual([]);
  const completed = records.filter(({ status }) => status === 'completed').length;
  process.stdout.write(
    `${completed} completed, ${JOBS - completed} refunded, ${received.length} callbacks, kills: ${kills.join(' ')}\n`,
  );

  /** As a careful caller does: an answer that is lost is asked for again under the same idempotency key. */
  async function submitAll(wanted: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const prompt of wanted) ids.push(await submitPatiently(prompt));
    return ids;
  }

  async function submitPatiently(prompt: string): Promise<string> {
    const body = { model: 'imagegen-2.5-flare', prompt, quality: 'low', webhook };
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const answer = await caller
        .post('/v1/images/generations', body, { 'idempotency-key': prompt.replaceAll(' ', '-') })
        .catch(() => undefined);
      if (answer?.status === 200) return answer.body.data[0].task_id;
      if (answer && answer.status !== 503) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
      await delay(100);
    }
    throw new Error(`${prompt} was never accepted`);
  }

  /** Every delivery has ended, and each was delivered; then the receiver has them all. */
  async function allCallbacks() {
    const limit = Date.now() + 120_000;
    const where = { accountId, state: 'delivered' };
    while ((await system.database.webhookDelivery.count({ where })) < JOBS) {
      if (Date.now() > limit) throw new Error('not every callback was delivered');
      await delay(200);
    }
    return system.simulator.received('chaos', JOBS);
  }
}, 300_000);
