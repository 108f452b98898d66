import { outagesOf } from '../web/src/pages/now/outages';

const NOW = 1_790_000_600;
const JOBS = { waiting: 0, starts: 0, active: 0, delayed: 0, paused: false, workers: 2 };
const FAMILY = {
  family: 'image',
  has_queue: true,
  waiting: 7,
  running: 0,
  awaiting_slot: 0,
  oldest_seconds: 400,
  next_due_at: null,
  submitted: 0,
  ended: 0,
  jobs: JOBS,
} as const;
const CALLBACKS = { pending: 0, due: 0, oldest_seconds: null, next_due_at: null, jobs: JOBS };
const PROCESS = {
  name: 'image',
  address: '10.0.0.9:9464',
  state: 'ready',
  reason: null,
  up_seconds: 1,
  work: [],
} as const;
const NOTICE = {
  id: 'ntc_1',
  kind: 'storage_failing',
  state: 'standing',
  subject: 'storage',
  account_id: null,
  level: 0,
  since: NOW - 60,
  ended_at: null,
  text: 'The storage takes nothing.',
  figures: {},
  reported_at: null,
} as const;

/** The rest of what is known is in order. */
function troubles(known: Partial<Parameters<typeof outagesOf>[0]> = {}, family: object = { oldest_seconds: 1 }) {
  const queues = {
    families: [{ ...FAMILY, ...family }],
    accounts: [],
    callbacks: CALLBACKS,
    recent_seconds: 300,
    redis_answers: true,
  };
  return outagesOf({ processes: [PROCESS], notices: [], queues, nowSeconds: NOW, ...known });
}

it('no outage is found where all is ready and taken', () => {
  expect(troubles()).toEqual([]);
});

it.each([
  ['paused', { oldest_seconds: 1, jobs: { ...JOBS, paused: true } }],
  ['untaken', { oldest_seconds: 1, jobs: { ...JOBS, workers: 0 } }],
  ['late', {}],
])('a queue is %s, with since when its oldest waits', (kind, family) => {
  const [outage] = troubles({}, family);
  expect(outage).toMatchObject({ kind, queue: 'image', waiting: 7, runbook: 'stuck-tasks.md' });
  expect(outage?.since).toBe(NOW - { ...FAMILY, ...family }.oldest_seconds);
});

it('a family without workers in which nothing waits is no trouble', () => {
  expect(troubles({}, { waiting: 0, oldest_seconds: null, jobs: { ...JOBS, workers: 0 } })).toEqual([]);
});

it('the storage comes before a process, and a process before a queue; notices of accounts and channels are elsewhere', () => {
  const notices = [
    NOTICE,
    { ...NOTICE, kind: 'channel_sick' },
    { ...NOTICE, kind: 'low_balance', account_id: 'acct_1' },
  ];
  const processes = [PROCESS, { ...PROCESS, state: 'down', reason: 'ECONNREFUSED' }] as const;
  expect(troubles({ notices, processes }, { oldest_seconds: 400 })).toMatchObject([
    { kind: 'notice', text: NOTICE.text, since: NOTICE.since, runbook: 'storage-full.md' },
    { kind: 'process', name: 'image 10.0.0.9:9464', state: 'down', reason: 'ECONNREFUSED' },
    { kind: 'late' },
  ]);
});
