import type { Fault } from '@mediagate/contracts';
import type { Run, UnderWay } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { endpointOf } from './endpoint';

const LOST: Fault = { code: 'outcome_unknown', detail: 'the worker ended between the call and its answer' };

/**
 * A claimed task may have an attempt of a worker that is gone. What was accepted goes on being checked. What was only
 * `starting` may or may not have reached the upstream: it is sent again where the vendor enforces our reference, looked up
 * where the vendor can be asked by it, and otherwise given up with a refund, never sent again on a guess.
 */
export async function recoverAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  const { attempt } = run.task;
  if (!attempt) return run;
  const channel = deps.channels.find(attempt.channelId);
  const adapter = channel && deps.adapters.get(channel.protocol);
  if (!channel || !adapter) {
    const fault: Fault = { code: 'outcome_unknown', detail: `channel ${attempt.channelId} is no longer configured` };
    return { ...run, outcome: { kind: 'failed', reason: 'outcome_unknown', fault } };
  }
  const recovered: Run = { ...run, underWay: { id: attempt.id, channel, adapter } };
  if (attempt.state === 'accepted') return recovered;
  switch (adapter.afterLostAnswer) {
    case 'never':
      return { ...recovered, outcome: { kind: 'failed', reason: 'outcome_unknown', fault: LOST } };
    case 'idempotent':
      return { ...recovered, resend: true };
    case 'lookup':
      return lookUp(recovered, { id: attempt.id, channel, adapter }, deps);
    default:
      return adapter.afterLostAnswer satisfies never;
  }
}

async function lookUp(run: Run, underWay: UnderWay, deps: WorkerDeps): Promise<Run> {
  const { adapter, channel, id } = underWay;
  if (!adapter.lookup) throw new Error(`protocol ${adapter.protocol} promises a lookup and has none`);
  const found = await adapter.lookup(id, { endpoint: endpointOf(channel, run.task.model), signal: run.signal });
  switch (found.kind) {
    case 'found': {
      const { externalId, operation, checkAfterMs } = found;
      return { ...run, outcome: { kind: 'accepted', externalId, operation, checkAfterMs, requestIds: [] } };
    }
    case 'absent':
      return { ...run, resend: true };
    case 'refused': {
      const checkAfterMs = found.fault.retryAfterMs ?? deps.profile.checkEveryMs;
      return {
        ...run,
        outcome: { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep: true, fault: found.fault },
      };
    }
    default:
      return found satisfies never;
  }
}
