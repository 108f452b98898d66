import { type Callback, createCallbacks } from './callbacks';
import type { VendorJob } from './vendor-job';

const URL = 'http://127.0.0.1/callback';

/** The statuses that are posted of a job with these ones, one after the other. */
async function posted(statuses: readonly string[], isReported: Callback['isReported'] = () => true) {
  const bodies: unknown[] = [];
  const fetch = jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)).status);
    return new Response(null);
  });
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const { announce } = createCallbacks({ clock, hosts: ['127.0.0.1'], closing: new AbortController().signal });
  const coming = [...statuses];
  const report = () => ({ status: coming.shift() ?? '' });
  const job = { startsAtMs: 0, endsAtMs: 1_000 } as VendorJob<unknown>;
  announce(job, { url: URL, report, isReported, times: 1, at: statuses.map((_, index) => index), warn: fail });
  await new Promise(setImmediate);
  fetch.mockRestore();
  return bodies;
}

const fail = (sentence: string) => {
  throw new Error(sentence);
};

it('posts each report of a job that is another than the one before', async () => {
  expect(await posted(['begun', 'half', 'half', 'done'])).toEqual(['begun', 'half', 'done']);
});

it('posts nothing more of a job once its vendor reports it no longer', async () => {
  const answers = [true, false];
  expect(await posted(['begun', 'half', 'done'], () => answers.shift() ?? false)).toEqual(['begun']);
});
