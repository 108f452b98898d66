import { type Job, withResult } from './job';
import { refused, unreadable } from './vendor-call';

const endpoint = { channelId: 'c', baseUrl: 'https://vendor.example', apiKey: 'k', model: 'm', options: {} };
const EMPTY = refused(unreadable('no link to the video'), ['r-1']);

it('a job that is done without a result is asked about ten times, and has then failed', () => {
  let job: Job = { since: Date.now(), taskId: 't-1' };
  for (let asked = 1; asked < 10; asked += 1) {
    const outcome = withResult(EMPTY, job, endpoint);
    expect(outcome).toMatchObject({ kind: 'pending', operation: { taskId: 't-1', emptySuccesses: asked } });
    job = 'operation' in outcome ? (outcome.operation as Job) : job;
  }
  expect(withResult(EMPTY, job, endpoint)).toEqual({
    ...{ kind: 'refused', requestIds: ['r-1'] },
    fault: { code: 'generation_failed', detail: expect.stringContaining('no link to the video') },
  });
});

it('a result that comes late is the result, and another refusal stays what it is', () => {
  const job: Job = { since: Date.now(), emptySuccesses: 9 };
  const done = { kind: 'done', outputs: [], usage: {} } as const;
  expect(withResult({ ...done, outputs: [] }, job, endpoint)).toEqual(done);
  const blocked = refused({ code: 'content_policy', detail: 'blocked' });
  expect(withResult(blocked, job, endpoint)).toBe(blocked);
});
