import { setTimeout as delay } from 'node:timers/promises';
import type { Output } from '@mediagate/contracts';
import { type FetchedOutput, type MediaToSave, OutputError } from '@mediagate/media';
import { backoffMs } from '../backoff';
import { mayFailAgain } from '../failed-steps';
import { isOutage, OUTAGE_RETRY_MS } from '../outage';
import type { StoredOutput } from '../profile';
import type { Produced, Run, UnderWay } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { isAccepted } from './load-media';

const FETCH_TRIES = 3;
/** Over some 15 s: what was paid for is not given up for a storage that is away for a moment. */
const SAVE_TRIES = 5;

/**
 * Brings every output home: fetched, judged by its bytes, stored under our own link. The task is billed for what exists
 * after this, whatever the upstream says it made; a job that makes no files is billed for its facts. With nothing left there is nothing to bill: an accepted job is asked
 * again for fresh links, anything else fails with a refund.
 */
export async function mirrorOutputs(run: Run, deps: WorkerDeps): Promise<Run> {
  const { produced, underWay } = run;
  if (!produced || !underWay) return run;
  const leave = isAccepted(run) ? deps.places.results.take(underWay.channel.id) : () => {};
  if (!leave) return { ...run, outcome: fetchSoon };
  return mirrorAll(run, deps, { produced, underWay }).finally(leave);
}

/** Enough results of the channel are on their way: this one stays where it is for a moment. */
const fetchSoon = { kind: 'waiting', phase: 'running', checkAfterMs: 2000, failedStep: false } as const;

async function mirrorAll(run: Run, deps: WorkerDeps, made: { produced: Produced; underWay: UnderWay }): Promise<Run> {
  const { produced, underWay } = made;
  const faults: string[] = [];
  const outputs: StoredOutput[] = [];
  for (const output of produced.outputs) {
    try {
      outputs.push(...(await mirror(output, run, deps, underWay.channel.baseUrl)));
    } catch (error) {
      if (run.signal.aborted) return { ...run, outcome: { kind: 'lost', usage: produced.usage } };
      if (!(error instanceof OutputError)) throw error;
      faults.push(error.message);
    }
  }
  const { facts, usage, requestIds } = produced;
  const isAllFacts = facts !== undefined && produced.outputs.length === 0;
  // A cover adorns a result and is none by itself.
  if (outputs.some(({ role }) => role !== 'cover') || isAllFacts) {
    return { ...run, outcome: { kind: 'succeeded', outputs, facts: facts ?? {}, usage, requestIds } };
  }
  const detail = `no usable output: ${faults[0] ?? 'none was given'}`.slice(0, 500);
  if (isAccepted(run) && faults.length > 0 && mayFailAgain(run.task)) {
    const checkAfterMs = backoffMs(run.task.failedSteps);
    const fault = { code: 'upstream_fault' as const, detail };
    return { ...run, outcome: { kind: 'waiting', phase: 'running', checkAfterMs, failedStep: true, fault } };
  }
  const fault = { code: 'outcome_unknown' as const, detail };
  return { ...run, outcome: { kind: 'failed', reason: 'result_unavailable', fault, requestIds } };
}

/** The output as it is stored, and after it what was cut out of it. */
async function mirror(output: Output, run: Run, deps: WorkerDeps, channelBaseUrl: string): Promise<StoredOutput[]> {
  const fetchOnce = () => deps.fetchOutput(output, { channelBaseUrl, signal: run.signal });
  const isTransient = (error: unknown) => error instanceof OutputError && error.transient;
  const fetching = { tries: FETCH_TRIES, signal: run.signal, worthAnother: isTransient };
  const fetched = await patiently(fetchOnce, fetching);
  try {
    for (const detail of fetched.faults) deps.logger.warn('output.imperfect', { taskId: run.task.id, detail });
    const save = saverFor(run, deps);
    const whole = await storeWhole(fetched, save);
    const parts = await storeParts(fetched, save);
    return [output.facts === undefined ? whole : { ...whole, facts: output.facts }, ...parts];
  } finally {
    await fetched.dispose();
  }
}

type File = Pick<FetchedOutput, 'bytes' | 'contentType' | 'width' | 'height'>;
type Save = (file: File) => Promise<Pick<StoredOutput, 'url' | 'contentType' | 'expiresAt' | 'width' | 'height'>>;

function saverFor({ task, entry, signal }: Run, { store }: WorkerDeps): Save {
  const { accountId, id: taskId } = task;
  const owner = { accountId, taskId, purpose: 'result', lifetimeMs: entry.resultLifetimeMs } as const;
  return async ({ bytes, contentType, ...picture }) => {
    const media: MediaToSave = { ...owner, bytes, contentType, ...pixelsOf(picture) };
    const { url, expiresAt } = await patiently(() => store.save(media), { tries: SAVE_TRIES, signal });
    return { url, contentType, expiresAt, ...pixelsOf(picture) };
  };
}

async function storeWhole(fetched: FetchedOutput, save: Save): Promise<StoredOutput> {
  const { role, seconds, cover } = fetched;
  const saved = await save(fetched);
  const coverUrl = cover && (await save(cover)).url;
  return {
    role,
    ...saved,
    ...(seconds === undefined ? {} : { seconds }),
    ...(coverUrl === undefined ? {} : { coverUrl }),
  };
}

async function storeParts({ role, parts = [] }: FetchedOutput, save: Save): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  for (const part of parts) stored.push({ role, ...(await save(part)), facts: part.facts });
  return stored;
}

function pixelsOf({ width, height }: { width?: number; height?: number }): { width?: number; height?: number } {
  return width === undefined || height === undefined ? {} : { width, height };
}

interface Patience {
  tries: number;
  signal: AbortSignal;
  /** Default: every error. */
  worthAnother?: (error: unknown) => boolean;
}

/** A database that is away is waited out for as long as the step may run; of anything else there are so many tries. */
async function patiently<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
  const { tries, signal, worthAnother = () => true } = patience;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const outage = isOutage(error);
      if (signal.aborted || !(outage || (attempt < tries && worthAnother(error)))) throw error;
      await delay(outage ? OUTAGE_RETRY_MS : backoffMs(attempt - 1), undefined, { signal });
    }
  }
}
