import type { Refused } from '@mediagate/contracts';
import { backoffMs } from '../backoff';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { endpointOf } from './endpoint';
import { isAccepted } from './load-media';

/** The upstream's own word that the job is over without a result. Any other fault only says that asking failed. */
const FINAL_FAULTS: ReadonlySet<string> = new Set(['bad_request', 'content_policy', 'generation_failed']);

/** Asks once how an accepted job stands. A failed question never ends a task: the job may be done all the same. */
export async function checkAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  const { attempt } = run.task;
  if (!isAccepted(run) || !attempt || !run.underWay) return run;
  const { adapter, channel } = run.underWay;
  if (!adapter.check) throw new Error(`protocol ${adapter.protocol} accepts jobs and cannot check them`);
  const context = { endpoint: endpointOf(channel, run.task.model), signal: run.signal };
  const found = await adapter.check(attempt.operation ?? {}, context);
  switch (found.kind) {
    case 'done': {
      const { outputs, usage, requestIds = [] } = found;
      return { ...run, produced: { outputs, usage, requestIds } };
    }
    case 'pending': {
      const { kind: _kind, checkAfterMs = deps.profile.checkEveryMs, ...state } = found;
      return { ...run, outcome: { kind: 'waiting', checkAfterMs, failedStep: false, ...state } };
    }
    case 'refused':
      return { ...run, outcome: refused(run, found) };
    default:
      return found satisfies never;
  }
}

function refused(run: Run, { fault, requestIds = [] }: Refused): NonNullable<Run['outcome']> {
  if (FINAL_FAULTS.has(fault.code)) {
    const reason = fault.code as 'bad_request' | 'content_policy' | 'generation_failed';
    const message = fault.publicMessage === undefined ? {} : { message: fault.publicMessage };
    return { kind: 'failed', reason, fault, requestIds, ...message };
  }
  const checkAfterMs = fault.retryAfterMs ?? backoffMs(run.task.failedSteps);
  return { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep: true, fault };
}
