import type { ListedChannel } from '@mediagate/channels';
import { channelTroubles } from './channel-troubles';
import { databaseTroubles, evictionTroubles, floodTroubles } from './own-troubles';
import { queueTroubles } from './queue-troubles';
import { describeTrouble, rankTroubles, type Trouble } from './trouble';

const NOW_MS = 1_790_000_600_000;
const JOBS = { name: 'image', waiting: 1, starts: 0, active: 1, delayed: 0, paused: false, workers: 2 } as const;
const FAMILY = {
  family: 'image',
  waiting: 7,
  running: 0,
  awaitingSlot: 0,
  oldestSeconds: 400,
  nextDueAt: null,
  submitted: 0,
  ended: 0,
  jobs: JOBS,
} as const;
const CALLBACKS = { pending: 0, due: 0, oldestSeconds: null, nextDueAt: null, jobs: JOBS };

function ofQueues(family: object, redisAnswers = true, callbacks: object = {}): Trouble[] {
  const waiting = { families: [{ ...FAMILY, ...family }], callbacks: { ...CALLBACKS, ...callbacks } };
  const queues = { ...waiting, accounts: [], recentSeconds: 300 };
  return queueTroubles({ ...queues, redisAnswers }, NOW_MS);
}

it.each([
  ['paused', { oldestSeconds: 1, jobs: { ...JOBS, paused: true } }],
  ['no_worker', { oldestSeconds: 1, jobs: { ...JOBS, workers: 0 } }],
  ['not_enqueued', { jobs: { ...JOBS, waiting: 0, active: 0 } }],
  ['workers_busy', {}],
])('a queue stands still for its cause (%s), since its oldest has been due', (cause, family) => {
  const { oldestSeconds } = { ...FAMILY, ...family };
  const since = new Date(NOW_MS - oldestSeconds * 1000);
  expect(ofQueues(family)).toMatchObject([{ subject: 'image', cause, since, touched: 7, urgency: 'critical' }]);
});

it('a queue in which nothing waits for long is no trouble, nor is one without workers and work', () => {
  expect(ofQueues({ oldestSeconds: 300 })).toEqual([]);
  expect(ofQueues({ waiting: 0, oldestSeconds: null, jobs: { ...JOBS, workers: 0 } })).toEqual([]);
});

it('callbacks that wait have a runbook of their own', () => {
  const troubles = ofQueues({}, true, { due: 3, jobs: { ...JOBS, workers: 0 } });
  expect(troubles.map(describeTrouble)).toMatchObject([
    { subject: 'image', runbook: 'docs/runbooks/growing-queue.md' },
    { subject: 'deliveries', urgency: 'warning', touched: 3, runbook: 'docs/runbooks/callbacks.md' },
  ]);
});

it('Redis that does not answer is the cause of what waits', () => {
  expect(ofQueues({ jobs: null }, false)).toMatchObject([
    { kind: 'redis_silent' },
    { kind: 'queue', cause: 'our_redis' },
  ]);
});

const RECENT = {
  attempts: 10,
  succeeded: 8,
  refused: 2,
  unknown: 0,
  medianMs: null,
  p95Ms: null,
  lastSucceededAt: null,
  succeededSince: 0,
  faults: { upstream_fault: 2 },
  details: {},
  chargedNano: 0n,
  costNano: 0n,
  costUnknown: 0,
  failed: 2,
  failedAccounts: 1,
  firstFailedAt: new Date(7),
  failedNano: 5n,
};
const CHANNEL: ListedChannel = {
  id: 'one',
  protocol: 'p',
  isTest: false,
  models: [],
  retirements: [],
  state: 'enabled',
  weight: 1,
  priority: 1,
  maxConcurrency: 3,
  file: null,
  override: null,
  scheduled: [],
  settings: {},
  faults: [],
  breaker: { openIn: 0, since: null, fault: null, models: [] },
  unlisted: [],
  openJobs: 0,
  oldestJobMs: null,
  recent: RECENT,
};
const FILES = { outcome_unknown: 2 };
const UNREAD = 'a success that cannot be read: no usable link';
const REFUSED = { model: 'm', processes: 1, since: new Date(0), fault: 'operator' } as const;
const ofChannel = (fields: Partial<ListedChannel>) => channelTroubles([{ ...CHANNEL, ...fields }]);

it.each([
  ['their_outage', {}],
  ['our_key', { recent: { ...RECENT, faults: { content_policy: 5, operator: 2 } } }],
  ['their_files', { recent: { ...RECENT, faults: FILES, details: { outcome_unknown: 'no usable output: none' } } }],
  ['their_files', { recent: { ...RECENT, faults: FILES, details: { outcome_unknown: UNREAD } } }],
  ['answers_lost', { recent: { ...RECENT, faults: FILES, details: { outcome_unknown: 'socket hang up' } } }],
  ['closed_by_operator', { state: 'draining' }],
  ['answers_lost', { breaker: { openIn: 1, since: new Date(0), fault: 'outcome_unknown', models: [] } }],
  ['name_gone', { breaker: { openIn: 0, since: null, fault: null, models: [REFUSED] } }],
  ['our_settings', { faults: [{ field: 'weight', message: 'is no number' }] }],
] as [string, Partial<ListedChannel>][])('a channel’s likely cause is read from its evidence: %s', (cause, fields) => {
  expect(ofChannel(fields)).toMatchObject([{ kind: 'channel', cause, touched: 2, of: 10, accounts: 1, costNano: 5n }]);
});

const OPEN = { openIn: 1, since: new Date(8), fault: null, models: [] };
const STEERED = {
  state: 'draining',
  breaker: OPEN,
  override: { fields: {}, latest: { setBy: 'cli', effectiveAt: new Date(9).toISOString(), reason: null } },
} as const;

it.each([
  ['it often fails: the first failure', {}, 7],
  ['it is passed over: the first breaker', { breaker: OPEN }, 8],
  ['an operator has closed it: the step', STEERED, 9],
] as [string, Partial<ListedChannel>, number][])('a channel says since when %s', (_name, fields, since) => {
  expect(ofChannel(fields)).toMatchObject([{ since: new Date(since) }]);
});

it('a model that its vendor ends is named with its successor and its last day', () => {
  const ending = { model: 'old', vendorModel: 'o', servedUntil: '2027-01-31', daysLeft: 9, stage: 'ending' } as const;
  const unreplaced = { ...ending, replacedBy: undefined };
  const retirements = [{ ...ending, replacedBy: 'new' }, unreplaced, { ...unreplaced, stage: 'served' as const }];
  const troubles = ofChannel({ retirements, recent: { ...RECENT, failed: 0 } });
  expect(troubles.map(({ detail }) => detail)).toEqual(['old → new, 2027-01-31', 'old, 2027-01-31']);
});

it('a channel that has failed works again after enough successes without a failure', () => {
  expect(ofChannel({ recent: { ...RECENT, succeededSince: 19 } })).toHaveLength(1);
  expect(ofChannel({ recent: { ...RECENT, succeededSince: 20 } })).toEqual([]);
});

it('the commonest detail of a fault is told beside its count', () => {
  const recent = { ...RECENT, details: { upstream_fault: 'HTTP 500' } };
  expect(ofChannel({ recent })).toMatchObject([{ detail: 'upstream_fault: 2 (HTTP 500)' }]);
});

it.each([
  [{ p95Ms: 1000 }, 30_000],
  [{ p95Ms: 60_000 }, 180_000],
  [{ p95Ms: null }, 600_000],
])('a vendor is slow whose oldest job takes far longer than usual (%j)', (usual, limitMs) => {
  const aged = (oldestJobMs: number) =>
    ofChannel({ openJobs: 3, oldestJobMs, recent: { ...RECENT, failed: 0, ...usual } });
  expect(aged(limitMs + 1)).toMatchObject([{ kind: 'channel', cause: 'their_delay', touched: 3 }]);
  expect(aged(limitMs)).toMatchObject([{ kind: 'channel_full' }]);
});

it('a channel that seldom fails is none, nor is one of test keys or of too few attempts; a full one is told', () => {
  expect(ofChannel({ recent: { ...RECENT, failed: 1 } })).toEqual([]);
  expect(ofChannel({ recent: { ...RECENT, attempts: 4 } })).toEqual([]);
  expect(ofChannel({ isTest: true })).toEqual([]);
  expect(ofChannel({ recent: { ...RECENT, failed: 0 }, openJobs: 3 })).toMatchObject([{ kind: 'channel_full' }]);
});

it('a database without space is told for a minute after it last refused a statement', () => {
  const asked = (fullSecondsAgo: number | undefined) => databaseTroubles({ fullSecondsAgo, clockAheadSeconds: 0 });
  expect(asked(59)).toMatchObject([{ kind: 'database_full', cause: 'our_database', urgency: 'critical' }]);
  expect([asked(60), asked(undefined)]).toEqual([[], []]);
});

it.each([
  [2.5, '2.5 s ahead of the database’s clock'],
  [-90, '90.0 s behind the database’s clock'],
])('a clock that differs by %s seconds is told', (clockAheadSeconds, detail) => {
  const troubles = databaseTroubles({ fullSecondsAgo: undefined, clockAheadSeconds });
  expect(troubles).toMatchObject([{ kind: 'clock_off', cause: 'our_clock', detail }]);
  expect(databaseTroubles({ fullSecondsAgo: undefined, clockAheadSeconds: 2 })).toEqual([]);
});

it('a Redis that evicts is told, and one that does not say is not', () => {
  const lru = { evictionPolicy: 'allkeys-lru' };
  expect(evictionTroubles([{ evictionPolicy: 'noeviction' }, lru])).toMatchObject([
    { kind: 'redis_evicts', cause: 'redis_policy', detail: 'maxmemory-policy: allkeys-lru' },
  ]);
  expect(evictionTroubles([{ evictionPolicy: 'noeviction' }, { evictionPolicy: undefined }])).toEqual([]);
});

it('an account floods that has many waiting tasks and nearly all of them', () => {
  const of = (waiting: number, all: number) =>
    floodTroubles({ accounts: [{ accountId: 'acc', waiting, running: 3 }], families: [{ waiting: all }] });
  expect(of(100, 125)).toMatchObject([{ kind: 'account_floods', subject: 'acc', touched: 100, of: 125 }]);
  expect([of(99, 99), of(100, 126)]).toEqual([[], []]);
});

it('the urgent come first, then what costs more, then what touches more accounts, then the older', () => {
  const [base] = ofChannel({});
  if (base === undefined) throw new Error('the channel is in trouble');
  const named = (subject: string, fields: Partial<Trouble>): Trouble => ({ ...base, subject, ...fields });
  const ranked = rankTroubles([
    named('newer', { accounts: 0, costNano: null, since: new Date(2) }),
    named('older', { accounts: 0, costNano: null, since: new Date(1) }),
    named('people', { accounts: 9, costNano: null }),
    named('money', { costNano: 9n }),
    named('urgent', { urgency: 'critical', costNano: null, accounts: 0 }),
  ]);
  expect(ranked.map(({ subject }) => subject)).toEqual(['urgent', 'money', 'people', 'older', 'newer']);
});
