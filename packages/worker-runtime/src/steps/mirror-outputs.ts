import { setTimeout as delay } from 'node:timers/promises';
import type { Output } from '@mediagate/contracts';
import { type FetchedOutput, OutputError } from '@mediagate/media';
import { backoffMs } from '../backoff';
import type { StoredOutput } from '../profile';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { isAccepted } from './load-media';

const FETCH_TRIES = 3;
/** Checks that may end in results which cannot be fetched, before the task is failed for it. */
const MAX_FAILED_STEPS = 8;

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
  if (isAccepted(run) && faults.length > 0 && run.task.failedSteps < MAX_FAILED_STEPS) {
    const checkAfterMs = backoffMs(run.task.failedSteps);
    const fault = { code: 'upstream_fault' as const, detail };
    return { ...run, outcome: { kind: 'waiting', phase: 'running', checkAfterMs, failedStep: true, fault } };
  }
  const fault = { code: 'outcome_unknown' as const, detail };
  return { ...run, outcome: { kind: 'failed', reason: 'result_unavailable', fault, requestIds } };
}

async function mirror(output: Output, run: Run, deps: WorkerDeps, channelBaseUrl: string): Promise<StoredOutput> {
  const { bytes, contentType, width, height } = await fetchPatiently(output, run, deps, channelBaseUrl);
  const pixels = width === undefined || height === undefined ? {} : { width, height };
  const stored = await deps.store.save({
    ...{ accountId: run.task.accountId, taskId: run.task.id, purpose: 'result', bytes, contentType, ...pixels },
    lifetimeMs: run.entry.resultLifetimeMs,
  });
  return { role: output.role, url: stored.url, contentType, expiresAt: stored.expiresAt, ...pixels };
}

async function fetchPatiently(
  output: Output,
  run: Run,
  deps: WorkerDeps,
  channelBaseUrl: string,
): Promise<FetchedOutput> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await deps.fetchOutput(output, { channelBaseUrl, signal: run.signal });
    } catch (error) {
      const worthAnother = error instanceof OutputError && error.transient && !run.signal.aborted;
      if (!worthAnother || attempt >= FETCH_TRIES) throw error;
      await delay(backoffMs(attempt - 1) / 2, undefined, { signal: run.signal });
    }
  }
}
