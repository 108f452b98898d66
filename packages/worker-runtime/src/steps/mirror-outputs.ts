import { setTimeout as delay } from 'node:timers/promises';
import type { Output } from '@mediagate/contracts';
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
      outputs.push(await mirror(output, run, deps, new URL(underWay.channel.baseUrl).origin));
    } catch (error) {
      if (run.signal.aborted) return { ...run, outcome: { kind: 'lost', usage: produced.usage } };
      faults.push(error instanceof Error ? error.message : 'unknown');
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

async function mirror(output: Output, run: Run, deps: WorkerDeps, allowOrigin: string): Promise<StoredOutput> {
  const { maxOutputBytes: maxBytes, outputContentTypes: contentTypes } = deps.profile;
  const bytes = output.bytes ?? (await fetchPatiently(output.url, run, deps, allowOrigin));
  if (bytes.length > maxBytes) throw new Error(`an output has more than ${maxBytes} bytes`);
  const stored = await deps.storeOutput({
    ...{ accountId: run.task.accountId, taskId: run.task.id, bytes, contentTypes },
    lifetimeMs: run.entry.resultLifetimeMs,
  });
  return { role: output.role, ...stored };
}

async function fetchPatiently(url: string, run: Run, deps: WorkerDeps, allowOrigin: string): Promise<Buffer> {
  const { maxOutputBytes: maxBytes, outputContentTypes: contentTypes } = deps.profile;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await deps.fetchOutput(url, { allowOrigin, maxBytes, contentTypes, signal: run.signal })).bytes;
    } catch (error) {
      if (attempt >= FETCH_TRIES || run.signal.aborted) throw error;
      await delay(backoffMs(attempt - 1) / 2, undefined, { signal: run.signal });
    }
  }
}
