import { type CheckOutcome, type Output, reasonOf, type StartOutcome, type Streaming } from '@mediagate/contracts';
import { sniff } from '@mediagate/media';
import { createAdapters, createHttpClient } from '@mediagate/upstreams';
import { type SimulatorUnderTest, startUnderTest } from '../../simulator/test/simulator-under-test';
import { exampleJobs, type TestKeyJob, testKeyJobs } from '../system/simulated-channels';

/* The words of docs/test-keys.md at every model that a worker serves test keys by, as its adapter and its results meet them. */

const VIDEO_MS = 1_000;
const STEP_MS = 5_000;
const GONE = 410;
let simulator: SimulatorUnderTest;
const clients = { http: createHttpClient() };
const adapters = createAdapters(clients);
beforeAll(async () => {
  simulator = await startUnderTest({ videoMs: VIDEO_MS });
});
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await simulator.close();
});

/** Their answers hold the file itself. */
const IN_ANSWERS = new Set(['openai-images', 'gemini', 'gemini-video', 'elevenlabs']);

const jobs = testKeyJobs();
const named = (some: TestKeyJob[]) => some.map((job) => [job.model, job.operation, job] as const);
/** Speech has no result that is kept, and what is known of a track or an image is none that is fetched. */
const FACTS = ['music.lyrics', 'imgtool.shorten', 'imgtool.describe'];
const withFiles = jobs.filter(({ family, operation }) => family !== 'tts' && !FACTS.includes(operation));

function adapterOf({ protocol }: TestKeyJob) {
  const adapter = adapters.get(protocol);
  if (!adapter) throw new Error(`no adapter ${protocol}`);
  return adapter;
}

const contextOf = ({ endpoint }: TestKeyJob) => ({
  endpoint: endpoint(simulator.url),
  signal: new AbortController().signal,
});

type Outcome = StartOutcome | CheckOutcome;

async function start(job: TestKeyJob, words: string): Promise<Outcome> {
  const request = { attemptId: `att-${Math.random()}`, request: job.request(words), media: [] };
  const outcome = await adapterOf(job).start(request, contextOf(job));
  return outcome.kind === 'streaming' ? readToEnd(outcome) : outcome;
}

/** As a worker judges what breaks off, or ends, before its first byte. */
async function readToEnd(streaming: Streaming): Promise<Outcome> {
  try {
    for await (const chunk of streaming.body) if (chunk.length > 0) return streaming;
  } catch {
    // No byte came.
  }
  return { kind: 'refused', fault: { code: 'outcome_unknown', detail: 'the answer was empty' } };
}

/** Moves the clock until `done` says so, and how far it came in milliseconds. */
async function movedUntil(done: () => boolean | Promise<boolean>): Promise<number> {
  for (let movedMs = 0; ; movedMs += STEP_MS) {
    if (await done()) return movedMs;
    await simulator.moveClock({ advanceMs: STEP_MS });
  }
}

/** Until the work was done: a call that is waited for answers, or a job has ended. */
async function workedMs(job: TestKeyJob, words: string): Promise<number> {
  let outcome: Outcome | undefined;
  const starting = start(job, words).then((started) => {
    outcome = started;
  });
  const calledMs = await movedUntil(() => outcome !== undefined);
  await starting;
  if (outcome?.kind !== 'started') return calledMs;
  const { operation } = outcome;
  const isDone = async () => (await adapterOf(job).check?.(operation, contextOf(job)))?.kind === 'done';
  return calledMs + (await movedUntil(isDone));
}

/** The outcome of a job once its time is over. */
async function ended(job: TestKeyJob, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'started') return outcome;
  await simulator.moveClock({ advanceMs: VIDEO_MS });
  const end = await adapterOf(job).check?.(outcome.operation, contextOf(job));
  if (!end) throw new Error(`${job.protocol} has no jobs`);
  return end;
}

const reasonFor = (outcome: Outcome) => ('fault' in outcome ? reasonOf(outcome.fault) : outcome.kind);

function outputsOf(outcome: Outcome): Output[] {
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.outputs.filter(({ role }) => role !== 'cover');
}

/** Whether a link leads to nothing, or bytes in the answer itself are nothing that anybody can read. */
async function isUnavailable(output: Output, job: TestKeyJob): Promise<boolean> {
  if (output.bytes !== undefined) return Buffer.isBuffer(output.bytes) && sniff(output.bytes) === undefined;
  return (await statusOf(output, job)) === GONE;
}

async function statusOf({ url, needsKey }: Output, job: TestKeyJob): Promise<number> {
  const shown = needsKey ? await adapterOf(job).credentials?.show(contextOf(job)) : undefined;
  const { status } = await fetch(url ?? '', shown && 'headers' in shown ? { headers: shown.headers } : {});
  return status;
}

describe('the vendor’s model that the example configuration names', () => {
  it.each(named(exampleJobs()))('for %s %s is known to its simulator', async (_model, _operation, job) => {
    expect(reasonFor(await start(job, job.protocol))).toMatch(/^(?:started|done|streaming)$/);
  });
});

describe.each(named(jobs))('%s %s', (_model, _operation, job) => {
  it.each(['content_policy', 'no_upstream', 'outcome_unknown'])('test:fail:%s', async (reason) => {
    expect(reasonFor(await ended(job, await start(job, `test:fail:${reason}`)))).toBe(reason);
  });

  it('test:fail:upstream_error, which a speech cannot have', async () => {
    const reason = job.family === 'tts' ? 'outcome_unknown' : 'upstream_error';
    expect(reasonFor(await ended(job, await start(job, 'test:fail:upstream_error')))).toBe(reason);
  });

  it('test:slow:30', async () => {
    expect(await workedMs(job, 'test:slow:30')).toBeGreaterThanOrEqual(30_000);
  });

  it('test:throttled:30', async () => {
    const words = `test:throttled:30 ${job.operation}`;
    expect(await start(job, words)).toMatchObject({ kind: 'refused', fault: { code: 'rate_limited' } });
    await simulator.moveClock({ advanceMs: 30_000 });
    expect(reasonFor(await start(job, words))).toMatch(/^(?:started|done|streaming)$/);
  });
});

describe.each(named(withFiles))('%s %s', (_model, _operation, job) => {
  it('test:fail:result_unavailable', async () => {
    const outputs = outputsOf(await ended(job, await start(job, 'test:fail:result_unavailable')));
    const states = await Promise.all(outputs.map((output) => isUnavailable(output, job)));
    expect(new Set(states)).toEqual(new Set([true]));
  });

  it('test:late:30', async () => {
    const words = 'test:late:30';
    if (IN_ANSWERS.has(job.protocol)) return expect(await workedMs(job, words)).toBeGreaterThanOrEqual(30_000);
    const [output] = outputsOf(await ended(job, await start(job, words)));
    if (output === undefined) throw new Error('no output');
    expect(await statusOf(output, job)).toBe(404);
    await simulator.moveClock({ advanceMs: 30_000 });
    expect(await statusOf(output, job)).toBe(200);
  });
});
