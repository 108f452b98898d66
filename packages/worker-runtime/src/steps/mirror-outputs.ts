import { setTimeout as delay } from 'node:timers/promises';
import type { Output } from '@mediagate/contracts';
import { type MediaToSave, OutputError } from '@mediagate/media';
import { backoffMs } from '../backoff';
import { mayFailAgain } from '../failed-steps';
import { isOutage, OUTAGE_RETRY_MS } from '../outage';
import type { StoredOutput } from '../profile';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { isAccepted } from './load-media';

const FETCH_TRIES = 3;
/** Over some 15 s: what was paid for is not given up for a storage that is away for a moment. */
const SAVE_TRIES = 5;

/**
 * Brings every output home: fetched, judged by its bytes, stored under our own link. The task is billed for what exists
 * after this, whatever the upstream says it made. With nothing left there is nothing to bill: an accepted job is asked
 * again for fresh links, anything else fails with a refund.
 */
export async function mirrorOutputs(run: Run, deps: WorkerDeps): Promise<Run> {
  const { produced, underWay } = run;
  if (!produced || !underWay) return run;
  const faults: string[] = [];
  const outputs: StoredOutput[] = [];
  for (const output of produced.outputs) {
    try {
      outputs.push(await mirror(output, run, deps, underWay.channel.baseUrl));
    } catch (error) {
      if (run.signal.aborted) return { ...run, outcome: { kind: 'lost', usage: produced.usage } };
      if (!(error instanceof OutputError)) throw error;
      faults.push(error.message);
    }
  }
  const { usage, requestIds } = produced;
  if (outputs.length > 0) return { ...run, outcome: { kind: 'succeeded', outputs, usage, requestIds } };
  const detail = `no usable output: ${faults[0] ?? 'none was given'}`.slice(0, 500);
  if (isAccepted(run) && faults.length > 0 && mayFailAgain(run.task)) {
    const checkAfterMs = backoffMs(run.task.failedSteps);
    const fault = { code: 'upstream_fault' as const, detail };
    return { ...run, outcome: { kind: 'waiting', phase: 'running', checkAfterMs, failedStep: true, fault } };
  }
  const fault = { code: 'outcome_unknown' as const, detail };
  return { ...run, outcome: { kind: 'failed', reason: 'result_unavailable', fault, requestIds } };
}

async function mirror(output: Output, run: Run, deps: WorkerDeps, channelBaseUrl: string): Promise<StoredOutput> {
  const fetchOnce = () => deps.fetchOutput(output, { channelBaseUrl, signal: run.signal });
  const isTransient = (error: unknown) => error instanceof OutputError && error.transient;
  const fetching = { tries: FETCH_TRIES, signal: run.signal, worthAnother: isTransient };
  const { bytes, contentType, width, height } = await patiently(fetchOnce, fetching);
  const pixels = width === undefined || height === undefined ? {} : { width, height };
  const { accountId, id: taskId } = run.task;
  const lifetimeMs = run.entry.resultLifetimeMs;
  const media: MediaToSave = { accountId, taskId, purpose: 'result', bytes, contentType, ...pixels, lifetimeMs };
  const stored = await patiently(() => deps.store.save(media), { tries: SAVE_TRIES, signal: run.signal });
  return { role: output.role, url: stored.url, contentType, expiresAt: stored.expiresAt, ...pixels };
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
