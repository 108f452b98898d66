import { inspectImage } from '@mediagate/media';
import { Webhook } from 'standardwebhooks';
import { asCalledBack } from '../system/caller';
import { download } from '../system/judged-answers';
import type { MediaHost } from '../system/media-host';
import { sharedSystem } from '../system/shared-system';
import type { System } from '../system/start-system';

let system: System;
let media: MediaHost;
beforeAll(async () => {
  ({ system, media } = await sharedSystem());
});

/** A PNG of one pixel, with an alpha channel. */
const CLEAR_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const UNIT = 1_000_000_000n;

it('is reserved at the most, settled on what was used, stored, served and told', async () => {
  const { caller, accountId, webhookSecret } = await system.account(10n * UNIT);
  const webhook = system.simulator.receiverUrl('first');
  const accepted = await caller.post('/v1/images/generations', {
    model: 'imagegen-2.5-flare',
    prompt: 'a lighthouse at dusk',
    size: '16:9',
    resolution: '2k',
    quality: 'auto',
    webhook,
  });
  expect(accepted.status).toBe(200);
  const taskId = accepted.body.data[0].task_id;

  // 2048x1152 at max level: ceil(7024 x 2359296 / 1048576) output tokens, and ceil(20 / 4) of text.
  const reservation = await system.database.reservation.findUniqueOrThrow({ where: { taskId } });
  expect(reservation.amountNano).toBe(15_804n * 30_000n + 5n * 5_000n);

  const record = await caller.ended(taskId);
  expect(record).toMatchObject({ status: 'completed', progress: 100 });
  const { input_tokens: input = 0, output_tokens: output = 0 } = record.usage ?? {};
  const cost = BigInt(output) * 30_000n + BigInt(input) * 5_000n;
  expect(record.cost).toBe(Number(cost) / 1e9);
  expect(record.credits_cost).toBeCloseTo(Number(cost) / 1e8, 9);
  const balance = await caller.balance();
  expect(balance).toMatchObject({ success: true, used_balance: record.cost, unlimited_quota: false });
  expect(balance.remain_balance).toBe(Number(10n * UNIT - cost) / 1e9);
  expect(accountId).toMatch(/^acct_/);

  const image = await download(record.result?.images[0]?.url[0]);
  expect(await inspectImage(image)).toMatchObject({ format: 'png', width: 2048, height: 1152 });

  const [callback] = await system.simulator.received('first', 1);
  expect(callback?.path).toBe('/first/callback');
  expect(JSON.parse(callback?.body ?? '')).toEqual(asCalledBack(record));
  expect(callback?.headers['webhook-id']).toBe(taskId);
  expect(new Webhook(webhookSecret).verify(callback?.body ?? '', callback?.headers ?? {})).toEqual(
    asCalledBack(record),
  );
});

it.each([
  ['imagegen-2.5-sunburst', { size: '1:1' }, 'png', 1024, 1024],
  ['imagegen-2', { size: '1536x1024', output_format: 'webp' }, 'webp', 1536, 1024],
  ['imagefast-ext', { size: '21:9', quality: undefined }, 'png', 1536, 672],
  ['imageseed-4.0', { size: '3:4', resolution: '1k', quality: undefined }, 'jpeg', 1024, 1360],
])('of %s has the size and format that were asked for', async (model, fields, format, width, height) => {
  const { caller } = await system.account(10n * UNIT);
  const record = await caller.ended(await caller.submit({ model, ...fields }));
  expect(record.status).toBe('completed');
  const image = await download(record.result?.images[0]?.url[0]);
  expect(await inspectImage(image)).toMatchObject({ format, width, height });
});

it('that the upstream refuses is failed, refunded and told', async () => {
  const { caller } = await system.account(10n * UNIT);
  const webhook = system.simulator.receiverUrl('refused');
  const record = await caller.ended(await caller.submit({ prompt: 'a boat [[sim:policy-submit]]', webhook }));
  expect(record).toMatchObject({
    status: 'failed',
    progress: 100,
    cost: 0,
    error: {
      message: expect.stringContaining('policy'),
      type: 'task_failed',
      code: 'task_failed',
      param: '',
      reason: 'content_policy',
    },
  });
  expect(await caller.balance()).toMatchObject({ remain_balance: 10, used_balance: 0 });
  const [callback] = await system.simulator.received('refused', 1);
  expect(JSON.parse(callback?.body ?? '')).toEqual(asCalledBack(record));
});

it('whose mask turns out to be of another size than its image is refunded before any vendor is asked', async () => {
  const { caller } = await system.account(10n * UNIT);
  const prompt = `masked ${Date.now()}`;
  const body = { prompt, image_urls: [media.url('first.jpg')], mask_url: `data:image/png;base64,${CLEAR_PIXEL}` };
  const record = await caller.ended(await caller.submit(body));
  expect(record).toMatchObject({ status: 'failed', cost: 0, error: { reason: 'bad_media', param: 'mask_url' } });
  expect(record.error?.message).toContain('1x1 pixels and its image 640x360');
  expect(await caller.balance()).toMatchObject({ remain_balance: 10, used_balance: 0 });
  expect((await system.simulator.journal()).filter((entry) => entry.prompt === prompt)).toEqual([]);
});

it('pays only for the images that exist', async () => {
  const { caller } = await system.account(10n * UNIT);
  const two = await caller.ended(await caller.submit({ n: 2 }));
  const part = await caller.ended(await caller.submit({ n: 4, prompt: 'a lighthouse [[sim:partial=2/4]]' }));
  expect(two.result?.images).toHaveLength(2);
  expect(part.result?.images).toHaveLength(2);
  expect(part.cost).toBeLessThan((two.cost ?? 0) * 1.1);
});

it('whose answer is lost is refunded and never sent twice', async () => {
  const { caller } = await system.account(10n * UNIT);
  const marker = `lost ${Date.now()}`;
  const record = await caller.ended(await caller.submit({ prompt: `${marker} [[sim:reset-after]]` }));
  expect(record).toMatchObject({ status: 'failed', cost: 0 });
  const asked = (await system.simulator.journal()).filter((entry) => entry.prompt?.startsWith(marker));
  expect(asked).toMatchObject([{ accepted: true }]);
  const attempts = await system.attempts(record.id);
  expect(attempts).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
});

it('accepts exactly 5 of 20 concurrent submissions on a balance for exactly 5', async () => {
  const price = await priceOfOne();
  const { caller, accountId } = await system.account(5n * price);
  const body = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', quality: 'low' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => caller.post('/v1/images/generations', body)));
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(15);
  const tasks = await system.database.task.count({ where: { accountId } });
  expect(tasks).toBe(5);
  const ended = await Promise.all(accepted.map(({ body }) => caller.ended(body.data[0].task_id, 60_000)));
  expect(ended.every(({ status }) => status === 'completed')).toBe(true);
  expect(await system.audit()).toEqual([]);
});

async function priceOfOne(): Promise<bigint> {
  const { caller } = await system.account(10n * UNIT);
  const taskId = await caller.submit({});
  return (await system.database.reservation.findUniqueOrThrow({ where: { taskId } })).amountNano;
}

it('prints no key, prompt or signed link in any log', () => {
  for (const service of Object.values(system.services)) {
    expect(service.log()).not.toMatch(/lighthouse|signature=[A-Za-z0-9]|sim-openai-key|whsec_|mg_[0-9a-z]{12}_/);
  }
});
