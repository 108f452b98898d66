import { type Job, type Misplaced, pending, withResult } from './job';
import { readResult } from './ttapi-suno/result';
import { refused, unreadable } from './vendor-call';
import { doneWith } from './video-result';

const endpoint = { channelId: 'c', baseUrl: 'https://vendor.example', apiKey: 'k', model: 'm', options: {} };
const EMPTY = refused({ ...unreadable('no link to the video'), credits: '4.5' }, ['r-1']);
const START_MS = 1_789_000_000_000;
const MINUTE_MS = 60_000;

beforeEach(() => jest.useFakeTimers({ now: START_MS }));
afterEach(() => jest.useRealTimers());

/** The job after one more success without a result, or after another outcome. */
function after(job: Job, outcome = withResult(EMPTY, job, endpoint)): Job {
  expect(outcome.kind).toBe('pending');
  return 'operation' in outcome && outcome.operation !== undefined ? (outcome.operation as Job) : job;
}

function emptyTimes(times: number, job: Job): Job {
  return times === 0 ? job : emptyTimes(times - 1, after(job));
}

const JOB: Job = { since: START_MS, taskId: 't-1' };

it('a job that is done without a result has not failed after any number of answers within five minutes', () => {
  const job = emptyTimes(50, JOB);
  expect(job).toEqual({ ...JOB, emptySuccesses: 50, emptySince: START_MS });
  jest.setSystemTime(START_MS + 5 * MINUTE_MS - 1);
  expect(withResult(EMPTY, job, endpoint).kind).toBe('pending');
});

it('a job that is done without a result has not failed after any time if it was seldom asked about', () => {
  const job = after(JOB);
  jest.setSystemTime(START_MS + 60 * MINUTE_MS);
  expect(emptyTimes(8, job)).toMatchObject({ emptySuccesses: 9, emptySince: START_MS });
});

it('a job that is done without a result, ten times over five minutes, has failed', () => {
  const job = emptyTimes(9, JOB);
  jest.setSystemTime(START_MS + 5 * MINUTE_MS);
  expect(withResult(EMPTY, job, endpoint)).toEqual({
    kind: 'refused',
    requestIds: ['r-1'],
    fault: {
      code: 'generation_failed',
      detail: '10 answers in a row, over 300 s: a success that cannot be read: no link to the video',
      credits: '4.5',
    },
  });
});

const MISPLACED: Misplaced = {
  kind: 'misplaced',
  detail: 'nothing at /video/url',
  credits: '4.5',
  requestIds: ['r-1'],
};

it('a job whose answer has nothing where its result was to be is asked again twice, and then the operator’s fault', () => {
  const twice = { ...JOB, emptySuccesses: 2, emptySince: START_MS };
  expect(
    after(
      after(JOB, withResult(MISPLACED, JOB, endpoint)),
      withResult(MISPLACED, { ...JOB, emptySuccesses: 1, emptySince: START_MS }, endpoint),
    ),
  ).toEqual(twice);
  expect(withResult(MISPLACED, twice, endpoint).kind).toBe('pending');
  jest.setSystemTime(START_MS + MINUTE_MS);
  expect(withResult(MISPLACED, JOB, endpoint).kind).toBe('pending');
  expect(withResult(MISPLACED, twice, endpoint)).toEqual({
    kind: 'not_started',
    requestIds: ['r-1'],
    fault: { code: 'operator', detail: 'nothing at /video/url', credits: '4.5', everyTime: true },
  });
});

it('a job that may have been delivered is asked for as long as one whose place is empty, and nobody else is paid', () => {
  const misplaced: Misplaced = { ...MISPLACED, mayBeDelivered: true };
  jest.setSystemTime(START_MS + 5 * MINUTE_MS);
  expect(withResult(misplaced, { ...JOB, emptySuccesses: 8, emptySince: START_MS }, endpoint).kind).toBe('pending');
  expect(withResult(misplaced, { ...JOB, emptySuccesses: 9, emptySince: START_MS }, endpoint)).toMatchObject({
    kind: 'refused',
    fault: { code: 'generation_failed', everyTime: true },
  });
});

it('a job that is under way in between is given all its answers and all its time anew', () => {
  const marked = emptyTimes(9, JOB);
  const resumed = after(marked, pending('running', marked, endpoint));
  expect(resumed).toEqual(JOB);
  jest.setSystemTime(START_MS + 5 * MINUTE_MS);
  const again = emptyTimes(9, resumed);
  expect(again).toMatchObject({ emptySuccesses: 9, emptySince: START_MS + 5 * MINUTE_MS });
  jest.setSystemTime(START_MS + 10 * MINUTE_MS);
  expect(withResult(EMPTY, again, endpoint).kind).toBe('refused');
});

it('a job that was never done without a result has nothing to be written anew', () => {
  expect(pending('running', JOB, endpoint)).not.toHaveProperty('operation');
});

it('a result that comes late is the result, and another refusal stays what it is', () => {
  const job: Job = { since: START_MS, emptySuccesses: 9, emptySince: START_MS - 60 * MINUTE_MS };
  const done = { kind: 'done', outputs: [], usage: {} } as const;
  expect(withResult({ ...done, outputs: [] }, job, endpoint)).toEqual(done);
  const blocked = refused({ code: 'content_policy', detail: 'blocked' });
  expect(withResult(blocked, job, endpoint)).toBe(blocked);
});

it('a success without a link keeps what its vendor charged for it', () => {
  const kept = { kind: 'refused', fault: { code: 'outcome_unknown', credits: '4.5' } };
  expect(doneWith(undefined, { credits: 4.5 })).toMatchObject(kept);
  expect(readResult({ ...JOB, jobId: 'j-1', operation: 'create' }, { quota: 4.5, musics: [] })).toMatchObject(kept);
});
