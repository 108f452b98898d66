import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PriceStep } from '@mediagate/database';
import { followPrices, PRICE_LEAD_MS, PRICES_KNOWN_MS } from './follow-prices';

const EVERY_MS = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function follow() {
  let answer = async (): Promise<PriceStep[]> => [];
  const closers: (() => unknown)[] = [];
  const warn = jest.fn();
  const scope = { logger: { warn }, defer: (_name: string, close: () => unknown) => closers.push(close) };
  const open = () => followPrices(scope as never, { database: { followPrices: () => answer() }, everyMs: EVERY_MS });
  const setAnswer = (next: typeof answer) => {
    answer = next;
  };
  return { open, setAnswer, warn, close: () => Promise.all(closers.map((close) => close())) };
}

const away = () => Promise.reject(new Error('away'));
const step = (perTask: string, effectiveInMs: number): PriceStep => ({
  id: 1n,
  billingKey: 'a-model',
  price: { perTask },
  effectiveInMs,
  effectiveAt: new Date(effectiveInMs),
});

it('goes by a look for as long as the database lets no price take effect that was written after it', () => {
  const sql = readFileSync(join(__dirname, '../../../../prisma/functions/refuse_late_price.sql'), 'utf8');
  expect(sql).toContain(`NEW.effective_at < clock_timestamp() + interval '${PRICES_KNOWN_MS / 1000} seconds'`);
});

it('knows no prices before the first look that succeeds', async () => {
  const { open, setAnswer, close } = follow();
  setAnswer(away);
  const followed = await open();
  expect([followed.areKnown(), followed.current().size]).toEqual([false, 0]);
  setAnswer(async () => [step('5', -1)]);
  await jest.advanceTimersByTimeAsync(EVERY_MS);
  expect([followed.areKnown(), followed.current().get('a-model')]).toEqual([true, { perTask: 5n }]);
  await close();
});

it('knows them no more before a price that it has not heard of can take effect', async () => {
  const { open, setAnswer, warn, close } = follow();
  setAnswer(async () => [step('5', 2 * EVERY_MS)]);
  const followed = await open();
  setAnswer(away);
  await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
  // The price that it has read takes effect in time.
  expect([followed.areKnown(), followed.current().get('a-model')]).toEqual([true, { perTask: 5n }]);
  await jest.advanceTimersByTimeAsync(PRICE_LEAD_MS - 3 * EVERY_MS);
  expect([followed.areKnown(), warn.mock.calls.length]).toEqual([false, 1]);
  await close();
});

it('counts from the beginning of a look: what is set while the database answers may be missing in it', async () => {
  const { open, setAnswer, close } = follow();
  const followed = await open();
  let answer = () => {};
  setAnswer(() => new Promise((resolve) => (answer = () => resolve([]))));
  await jest.advanceTimersByTimeAsync(PRICE_LEAD_MS + EVERY_MS);
  answer();
  await jest.advanceTimersByTimeAsync(0);
  expect(followed.areKnown()).toBe(false);
  setAnswer(async () => []);
  await jest.advanceTimersByTimeAsync(EVERY_MS);
  expect(followed.areKnown()).toBe(true);
  await close();
});
