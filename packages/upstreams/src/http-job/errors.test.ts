import { failureOf } from './errors';

const BODY = {
  state: 'broken',
  why: { code: 'oom', detail: 'node 17 ran out of memory at "an old heron in the reeds"' },
};
const http_job = { errors: { code: '/why/code', message: '/why/detail' } };
const context = {
  endpoint: { channelId: 'c', baseUrl: 'http://vendor.internal', apiKey: 'k', model: 'm', options: { http_job } },
  signal: new AbortController().signal,
};

it('the sentence of a job that failed is told without the words of its caller', () => {
  const callersWords = () => 'An old heron in the reeds';
  const { code, detail } = failureOf(BODY, 'broken', { ...context, callersWords });
  expect([code, detail]).toEqual(['generation_failed', expect.stringContaining('oom: node 17 ran out of memory at')]);
  expect(detail).not.toMatch(/heron/);
});

it('the sentence is left out where nobody knows what it may quote', () => {
  expect(failureOf(BODY, 'broken', context).detail).toBe('status 200: oom');
});

it('the sentence is found at the first of its places that has one', () => {
  const errors = { code: ['/code', '/why/code'], message: ['/message', '/why/detail'] };
  const endpoint = { ...context.endpoint, options: { http_job: { errors } } };
  const fault = failureOf(BODY, 'broken', { ...context, endpoint, callersWords: () => 'An old heron in the reeds' });
  expect(fault.detail).toContain('oom: node 17');
});
