import type { FaultCode } from '@mediagate/contracts';
import { fanOut, type OneOutcome } from './fan-out';

const made = (name: string): OneOutcome => ({
  ok: true,
  output: { role: 'image', url: `https://host.example/${name}` },
  usage: { outputTokens: 10 },
  requestId: name,
});
const failed = (code: FaultCode): OneOutcome => ({ ok: false, fault: { code, detail: code } });

const pauses: number[] = [];
const options = {
  signal: new AbortController().signal,
  async pause(milliseconds: number) {
    pauses.push(milliseconds);
  },
};
beforeEach(() => {
  pauses.length = 0;
});

/** A promise to be settled by hand. */
function gate<T>(): { promise: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

it('keeps the order of the calls whatever the order of the answers, and sums their usage', async () => {
  const gates = [gate<OneOutcome>(), gate<OneOutcome>(), gate<OneOutcome>()];
  const all = fanOut(3, (index) => gates[index]?.promise ?? Promise.reject(new Error('no such call')), options);
  for (const index of [2, 0, 1]) gates[index]?.open(made(String(index)));
  expect(await all).toMatchObject({
    kind: 'done',
    outputs: [{ url: 'https://host.example/0' }, { url: 'https://host.example/1' }, { url: 'https://host.example/2' }],
    usage: { images: 3, outputTokens: 30 },
    requestIds: ['0', '1', '2'],
  });
});

it('has at most five calls under way', async () => {
  let underWay = 0;
  let most = 0;
  await fanOut(
    15,
    async (index) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return made(String(index));
    },
    options,
  );
  expect(most).toBe(5);
});

it('begins no call after a fault, and delivers what was made', async () => {
  const begun: number[] = [];
  const outcome = await fanOut(
    15,
    async (index) => {
      begun.push(index);
      return index === 2 ? failed('content_policy') : made(String(index));
    },
    options,
  );
  expect(begun.length).toBeLessThan(15);
  expect(outcome).toMatchObject({ kind: 'done' });
});

it.each<[FaultCode[], FaultCode]>([
  [['content_policy', 'outcome_unknown', 'not_accepted'], 'outcome_unknown'],
  [['rate_limited', 'content_policy'], 'content_policy'],
  [['not_accepted', 'rate_limited'], 'rate_limited'],
])('of the faults %j the one that speaks is %s', async (codes, speaks) => {
  const outcome = await fanOut(codes.length, (index) => Promise.resolve(failed(codes[index] ?? 'operator')), options);
  expect(pauses).toEqual([]);
  expect(outcome).toMatchObject({ kind: 'refused', fault: { code: speaks } });
});

it('asks again for what the vendor had no slot for while it made the rest, at the pace the vendor wishes', async () => {
  let refusals = 0;
  const outcome = await fanOut(
    3,
    async (index) => {
      if (index === 0 || refusals >= 4) return made(String(index));
      refusals += 1;
      const retryAfterMs = refusals === 1 ? 7000 : undefined;
      return { ok: false, fault: { code: 'rate_limited', detail: '', ...(retryAfterMs ? { retryAfterMs } : {}) } };
    },
    options,
  );
  expect(outcome).toMatchObject({ kind: 'done', usage: { images: 3 } });
  expect(pauses[0]).toBe(7000);
});

it('settles for what was made when the vendor never has a slot for the rest', async () => {
  const outcome = await fanOut(2, async (index) => (index === 0 ? made('0') : failed('rate_limited')), options);
  expect(outcome).toMatchObject({ kind: 'done', usage: { images: 1 } });
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
});

it('asks nobody again once the task has to stop', async () => {
  const stopped = { ...options, signal: AbortSignal.abort() };
  const outcome = await fanOut(2, async (index) => (index === 0 ? made('0') : failed('rate_limited')), stopped);
  expect(outcome).toMatchObject({ kind: 'done', usage: { images: 1 } });
  expect(pauses).toEqual([]);
});
