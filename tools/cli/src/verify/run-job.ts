import { setTimeout as delay } from 'node:timers/promises';
import { vendorCost } from '@mediagate/catalog';
import {
  type CheckOutcome,
  type Done,
  type JsonObject,
  type Nano,
  NOBODY,
  newTaskId,
  type Output,
  type StartOutcome,
  type Streaming,
} from '@mediagate/contracts';
import type { OutputFetcher } from '@mediagate/media';
import type { Channel } from '@mediagate/settings';
import type { Adapter, CallContext } from '@mediagate/upstreams';
import { type PlannedJob, requestOf } from './plan-jobs';
import type { Recorder, Reply } from './recorder';

/** One call of the adapter and what it was answered. */
export interface Step {
  kind: 'start' | 'check';
  /** Asked about; of a start the request. */
  subject: JsonObject;
  replies: Reply[];
  outcome: StartOutcome | CheckOutcome;
}

/** The outcome of one real job. */
export interface JobRun {
  isGood: boolean;
  /** The outcome in one sentence, for operators. */
  detail: string;
  seconds: number;
  /** The vendor's charge, or the most that it can be where it is not known. */
  costNano: Nano | undefined;
  steps: Step[];
}

export interface RunDeps {
  adapter: Adapter;
  recorder: Recorder;
  channel: Channel;
  fetchOutput: OutputFetcher;
}

/** Rounded to a tenth. */
export function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

/** Runs a job to its end as a worker would, but for accounts: whatever it made is fetched and looked at, and not kept. */
export async function runJob(job: PlannedJob, deps: RunDeps): Promise<JobRun> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(job.entry.deadlineMs);
  const context = { endpoint: job.endpoint, signal };
  const steps: Step[] = [];
  const ended = await takeSteps(job, context, { ...deps, steps });
  const found = await describeEnd(ended, { ...deps, context });
  const cost = ended.kind === 'done' ? costOf(job, ended, deps.channel) : undefined;
  return { ...found, seconds: secondsSince(startedAt), costNano: cost ?? job.mostNano, steps };
}

type Ended = Done | Streaming | { kind: 'failed'; detail: string };

async function takeSteps(
  { entry, input }: PlannedJob,
  context: CallContext,
  { adapter, recorder, steps }: RunDeps & { steps: Step[] },
): Promise<Ended> {
  const request = requestOf(entry, input);
  const started = await adapter.start({ attemptId: newTaskId(), request, media: [] }, context);
  steps.push({ kind: 'start', subject: request, replies: recorder.take(), outcome: started });
  if (started.kind === 'refused') return failed(started.fault);
  if (started.kind !== 'started') return started;
  let { operation, checkAfterMs = MIN_PAUSE_MS }: { operation: JsonObject; checkAfterMs?: number } = started;
  for (;;) {
    await delay(checkAfterMs, undefined, { signal: context.signal });
    const outcome = (await adapter.check?.(operation, context)) ?? NO_CHECK;
    steps.push({ kind: 'check', subject: operation, replies: recorder.take(), outcome });
    if (outcome.kind === 'done') return outcome;
    if (outcome.kind !== 'pending') return failed('fault' in outcome ? outcome.fault : UNEXPECTED);
    operation = outcome.operation ?? operation;
    checkAfterMs = outcome.checkAfterMs ?? MIN_PAUSE_MS;
  }
}

const MIN_PAUSE_MS = 3000;
const UNEXPECTED = { code: 'generation_failed', detail: 'a stage of its own follows' } as const;
const NO_CHECK: CheckOutcome = {
  kind: 'refused',
  fault: { code: 'operator', detail: 'the protocol asks about no jobs' },
};

function failed({ code, detail }: { code: string; detail: string }): Ended {
  return { kind: 'failed', detail: `${code}: ${detail}` };
}

type Looking = Pick<RunDeps, 'adapter' | 'fetchOutput'> & { context: CallContext };

async function describeEnd(ended: Ended, looking: Looking): Promise<Pick<JobRun, 'isGood' | 'detail'>> {
  if (ended.kind === 'failed') return { isGood: false, detail: ended.detail };
  if (ended.kind === 'streaming') return { isGood: true, detail: `${await countBytes(ended.body)} bytes as a stream` };
  const { outputs, facts } = ended;
  if (outputs.length === 0)
    return { isGood: facts !== undefined, detail: `facts: ${Object.keys(facts ?? {}).join(', ')}` };
  try {
    const files: string[] = [];
    for (const output of outputs) files.push(await describeOutput(output, looking));
    return { isGood: true, detail: files.join(', ') };
  } catch (error) {
    return { isGood: false, detail: (error as Error).message };
  }
}

async function describeOutput(output: Output, { adapter, context, fetchOutput }: Looking): Promise<string> {
  const { endpoint, signal } = context;
  const { credentials } = adapter;
  const showKey = credentials && (() => credentials.show(context));
  const source = { channelBaseUrl: endpoint.baseUrl, owner: NOBODY, signal, ...(showKey && { showKey }) };
  const file = await fetchOutput(output, source);
  await file.dispose();
  return `${file.role} ${file.contentType}`;
}

async function countBytes(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

/** As of an attempt of a worker: images are counted as they came. */
function costOf({ entry, input }: PlannedJob, done: Done, { costs }: Channel): Nano | undefined {
  const images = done.outputs.filter(({ role }) => role === 'image').length;
  const { usage, credits } = done;
  return vendorCost({ entry, input }, { usage: { images, ...usage }, credits }, costs)?.nano;
}
