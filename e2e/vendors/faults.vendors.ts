import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckOutcome, FaultCode, JsonObject, StartOutcome, Streaming } from '@mediagate/contracts';
import { createAdapters, createHttpClient } from '@mediagate/upstreams';
import { type SimulatorUnderTest, startUnderTest } from '../../simulator/test/simulator-under-test';
import { type SimulatedChannel, simulatedChannels } from '../system/simulated-channels';

/*
 * Every adapter against every fault of the vendor that it speaks to. What is tried comes from the simulator's own table: a fault
 * that it has and that nobody expects anything of fails here, and so does a vendor that plays none and has not said why.
 */

const VIDEO_MS = 1_000;
const JUDGES = readFileSync(join(__dirname, '../../docs/judges.md'), 'utf8');
let simulator: SimulatorUnderTest;
let faults: Awaited<ReturnType<SimulatorUnderTest['faults']>>;
const clients = { http: createHttpClient() };
const adapters = createAdapters(clients);

beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
  faults = await simulator.faults();
});
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await simulator.close();
});

/** By protocol; those that need another's file or have no vendor are not among them. */
const channels = simulatedChannels();
const jobs = channels.filter(({ protocol }) => adapters.get(protocol)?.check !== undefined);
const named = (some: SimulatedChannel[]) => some.map((channel) => [channel.protocol, channel] as const);

const AGAIN: FaultCode[] = ['rate_limited', 'not_accepted', 'upstream_fault'];
const OPERATORS: FaultCode[] = ['operator'];
const NOBODY_KNOWS: FaultCode[] = ['outcome_unknown'];

/** Outcomes of a start, by the fault that it meets. */
const STARTS: Record<string, (FaultCode | 'streaming')[]> = {
  'gateway-html=200': NOBODY_KNOWS,
  'gateway-html=403': OPERATORS,
  'gateway-html=502': NOBODY_KNOWS,
  'gateway-html=503': ['not_accepted'],
  'gateway-html=504': NOBODY_KNOWS,
  'detail-error=text': ['bad_request'],
  // A field that is missing is no caller's mistake where an operator's template says the fields.
  'detail-error=list': ['bad_request', 'operator'],
  'reset-before': NOBODY_KNOWS,
  'reset-after': NOBODY_KNOWS,
  malformed: NOBODY_KNOWS,
  // Sound that ends early is all there is, to whoever hears it.
  'truncated-json': [...NOBODY_KNOWS, 'streaming'],
  auth: OPERATORS,
  'rate-limit': ['rate_limited'],
  'throttle-rate=60s': ['rate_limited'],
  concurrency: ['rate_limited'],
  'throttle-concurrency=60s': ['rate_limited'],
  quota: OPERATORS,
  // A proxy that has no account left to work with says no more than that.
  balance: [...OPERATORS, 'not_accepted'],
  payment: OPERATORS,
  'plan-window': OPERATORS,
  retired: OPERATORS,
  'new-users': OPERATORS,
  // A vendor that has not said whether it took the work is not asked again.
  '5xx': [...AGAIN, ...NOBODY_KNOWS],
  '5xx=503': [...AGAIN, ...NOBODY_KNOWS],
  busy: AGAIN,
  'policy-submit': ['content_policy'],
};

/** Ends of an accepted job, by the fault that it meets. */
const ENDS: Record<string, FaultCode> = { 'policy-result': 'content_policy', 'failed-result': 'generation_failed' };

/** Only the vendor's word about the job itself may end one that it has accepted. */
const FINAL: readonly FaultCode[] = ['bad_request', 'content_policy', 'generation_failed'];

const nameOf = (list: string) => list.split('=')[0] ?? '';
const whyNot = (list: string, { vendor }: SimulatedChannel) => faults[nameOf(list)]?.cannot[vendor];

function contextOf({ endpoint }: SimulatedChannel) {
  return { endpoint: endpoint(simulator.url), signal: new AbortController().signal };
}

function adapterOf({ protocol }: SimulatedChannel) {
  const adapter = adapters.get(protocol);
  if (!adapter) throw new Error(`no adapter ${protocol}`);
  return adapter;
}

/** Starts work with that list of faults among its words. What is streamed is read to its end. */
async function start(channel: SimulatedChannel, list: string): Promise<StartOutcome> {
  const request = channel.request(`[[sim:${list}]]`);
  const outcome = await adapterOf(channel).start(
    { attemptId: `att-${Math.random()}`, request, media: [] },
    contextOf(channel),
  );
  return outcome.kind === 'streaming' ? readToEnd(outcome) : outcome;
}

async function readToEnd(streaming: Streaming): Promise<StartOutcome> {
  try {
    for await (const chunk of streaming.body) expect(chunk.length).toBeGreaterThan(0);
    return streaming;
  } catch {
    return { kind: 'refused', fault: { code: 'outcome_unknown', detail: 'it broke off' } };
  }
}

async function check(channel: SimulatedChannel, operation: JsonObject): Promise<CheckOutcome> {
  const outcome = await adapterOf(channel).check?.(operation, contextOf(channel));
  if (!outcome) throw new Error(`${channel.protocol} has no jobs`);
  return outcome;
}

async function accepted(channel: SimulatedChannel, list: string) {
  const outcome = await start(channel, list);
  if (outcome.kind !== 'started') throw new Error(`${list}: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** A job as it stands when its time is over. */
async function ended(channel: SimulatedChannel, { operation }: { operation: JsonObject }): Promise<CheckOutcome> {
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  return check(channel, operation);
}

const codeOf = (outcome: StartOutcome | CheckOutcome) => ('fault' in outcome ? outcome.fault.code : outcome.kind);

it('something is expected of every fault that a start or a check can meet', () => {
  const met = Object.entries(faults).filter(([, { strikes }]) => strikes === 'before' || strikes === 'instead');
  const expected = new Set([...Object.keys(STARTS), ...CHECKS].map(nameOf));
  const apart = ['latency', 'start-latency', 'check-latency', 'retry-after', 'retry-after-date'];
  apart.push('check-retry-after', 'check-retry-after-date');
  expect(
    met
      .map(([name]) => name)
      .filter((name) => !expected.has(name))
      .sort(),
  ).toEqual(apart.sort());
});

it('every protocol with a vendor is among those that are tried', () => {
  const tried = channels.map(({ protocol }) => protocol);
  expect([...adapters.keys()].filter((protocol) => !tried.includes(protocol))).toEqual(['local-audio']);
});

describe.each(named(channels))('a start by %s', (_, channel) => {
  it.each(Object.entries(STARTS))('%s', async (list, codes) => {
    const outcome = await start(channel, list);
    const why = whyNot(list, channel);
    const { accepted: isPaid, warnings } = await lastStart();
    if (why === undefined) expect(codes).toContain(codeOf(outcome));
    else {
      expect(outcome.kind).not.toBe('refused');
      expect(warnings).toContainEqual(expect.stringContaining(why));
    }
    // A start that the vendor does not know is never in doubt because of it; one that it charges for is never made again.
    if (isPaid && outcome.kind === 'refused') expect(NOBODY_KNOWS).toContain(codeOf(outcome));
  });

  it.each([
    ['retry-after=0s', 0],
    ['retry-after=30s', 30_000],
    ['retry-after-date=30s', 30_000],
  ])('hears how long to wait: %s', async (wait, ms) => {
    const outcome = await start(channel, `rate-limit,${wait}`);
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'rate_limited' } });
    const { retryAfterMs = Number.NaN } = outcome.kind === 'refused' ? outcome.fault : {};
    expect(Math.abs(retryAfterMs - ms)).toBeLessThanOrEqual(5_000);
  });
});

async function lastStart() {
  const starts = (await simulator.journal()).filter(({ operation }) => operation === 'start');
  const last = starts.at(-1);
  if (!last) throw new Error('nothing was started');
  return last;
}

const CHECKS = [
  'check-gateway-html=200',
  'check-gateway-html=403',
  'check-gateway-html=502',
  'check-gateway-html=503',
  'check-detail-error=text',
  'check-detail-error=list',
  'check-reset',
  'check-malformed',
  'check-truncated-json',
  'check-auth',
  'check-rate-limit',
  'check-throttle-rate=60s',
  'check-concurrency',
  'check-throttle-concurrency=60s',
  'check-quota',
  'check-balance',
  'check-payment',
  'check-plan-window',
  'check-retired',
  'check-new-users',
  'check-5xx',
  'check-5xx=503',
  'check-busy',
];

/** A result that is none, at the first look. */
const RESULTS = ['missing-url', 'empty-result', 'wrong-type'];

describe.each(named(channels))('docs/judges.md on %s', (protocol, channel) => {
  it('counts the faults that are tried here, and those that its vendor can have', () => {
    const ofJobs = [...CHECKS, ...Object.keys(ENDS), ...RESULTS];
    const tried = [...Object.keys(STARTS), ...(jobs.includes(channel) ? ofJobs : [])];
    const played = tried.filter((list) => whyNot(list, channel) === undefined);
    const row = JUDGES.split('\n').find((line) => line.startsWith(`| \`${protocol}\` |`)) ?? '';
    expect(row.split('|')[4]?.trim()).toBe(`${played.length} of ${tried.length}`);
  });
});

describe.each(named(jobs))('a job of %s', (_, channel) => {
  it.each(CHECKS)('is not ended by what its question meets: %s', async (list) => {
    const times = list.includes('throttle') ? '' : '*1';
    const job = await accepted(channel, `${list}${times}`);
    const first = await ended(channel, job);
    if (whyNot(list, channel) !== undefined) return expect(first.kind).toBe('done');
    expect(first.kind).toBe('refused');
    expect(FINAL).not.toContain(codeOf(first));
    await simulator.moveClock({ advanceMs: 60_000 });
    const second = await check(channel, job.operation);
    expect({ first, second }).toEqual({ first, second: expect.objectContaining({ kind: 'done' }) });
  });

  it.each(Object.entries(ENDS))('%s ends it', async (list, code) => {
    expect(codeOf(await ended(channel, await accepted(channel, list)))).toBe(code);
  });

  it.each(RESULTS)('%s does not: the next answer may have a result', async (list) => {
    const job = await accepted(channel, `${list}*1`);
    const first = await ended(channel, job);
    if (whyNot(list, channel) !== undefined) return expect(first.kind).toBe('done');
    expect(first.kind).not.toBe('done');
    expect(FINAL).not.toContain(codeOf(first));
    expect((await check(channel, job.operation)).kind).toBe('done');
  });

  it('goes on under a word for its state that nobody knows', async () => {
    const job = await accepted(channel, 'new-status-word*1');
    // A link that is there is a result, whatever the word.
    expect(['pending', 'done']).toContain((await ended(channel, job)).kind);
    expect((await check(channel, job.operation)).kind).toBe('done');
  });

  it('is known by an id that no double holds', async () => {
    const job = await accepted(channel, 'long-id');
    expect(job.externalId).toMatch(/\d{18,}$/);
    // A protocol whose names end with the id keeps the name.
    expect(job.externalId).toContain((await lastStart()).externalId);
    expect((await ended(channel, job)).kind).toBe('done');
  });
});
