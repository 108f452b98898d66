import type { ListedChannel } from '@mediagate/channels';
import { channelTroubles } from './channel-troubles';
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
  faults: { upstream_fault: 2 },
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
  breaker: { openIn: 0, since: null, models: [] },
  openJobs: 0,
  recent: RECENT,
};
const ofChannel = (fields: Partial<ListedChannel>) => channelTroubles([{ ...CHANNEL, ...fields }]);

it.each([
  ['their_outage', {}],
  ['our_key', { recent: { ...RECENT, faults: { content_policy: 5, operator: 2 } } }],
  ['closed_by_operator', { state: 'draining' }],
  ['name_gone', { breaker: { openIn: 0, since: null, models: [{ model: 'm', processes: 1, since: new Date(0) }] } }],
  ['our_settings', { faults: [{ field: 'weight', message: 'is no number' }] }],
] as [string, Partial<ListedChannel>][])('a channel’s likely cause is read from its evidence: %s', (cause, fields) => {
  expect(ofChannel(fields)).toMatchObject([{ kind: 'channel', cause, touched: 2, of: 10, accounts: 1, costNano: 5n }]);
});

const OPEN = { openIn: 1, since: new Date(8), models: [] };
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

it('a channel that seldom fails is none, nor is one of test keys or of too few attempts; a full one is told', () => {
  expect(ofChannel({ recent: { ...RECENT, failed: 1 } })).toEqual([]);
  expect(ofChannel({ recent: { ...RECENT, attempts: 4 } })).toEqual([]);
  expect(ofChannel({ isTest: true })).toEqual([]);
  expect(ofChannel({ recent: { ...RECENT, failed: 0 }, openJobs: 3 })).toMatchObject([{ kind: 'channel_full' }]);
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
