import { endpointOf } from '@mediagate/channels';
import type { Fault } from '@mediagate/contracts';
import type { LookupOutcome } from '@mediagate/upstreams';
import type { Run, UnderWay } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { askLater } from './in-doubt';

const LOST: Fault = { code: 'outcome_unknown', detail: 'the worker ended between the call and its answer' };

/** Pause before an accepted job is looked at again whose channel this process does not know. */
const CHANNEL_GONE_RETRY_MS = 5000;

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
  if (!channel || !adapter || !channel.models.has(run.task.model)) return withoutChannel(run, attempt);
  const recovered: Run = { ...run, underWay: { id: attempt.id, channel, adapter } };
  if (attempt.state === 'accepted') return recovered;
  switch (adapter.afterLostAnswer) {
    case 'never':
      return { ...recovered, outcome: { kind: 'failed', reason: 'outcome_unknown', fault: LOST } };
    case 'idempotent':
      return { ...recovered, inDoubt: true };
    case 'lookup':
      return lookUp(recovered, { id: attempt.id, channel, adapter });
    default:
      return adapter.afterLostAnswer satisfies never;
  }
}

/**
 * While a new configuration is rolled out, another worker may know the channel that this one does not; so it is only put
 * off, an accepted job up to its deadline.
 */
function withoutChannel(run: Run, { channelId, state }: NonNullable<Run['task']['attempt']>): Run {
  const detail = `channel ${channelId} does not serve ${run.task.model} in this configuration`;
  const fault: Fault = { code: 'outcome_unknown', detail };
  if (state === 'starting') return { ...run, outcome: askLater(run, fault) };
  const checkAfterMs = CHANNEL_GONE_RETRY_MS;
  return { ...run, outcome: { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep: true, fault } };
}

async function lookUp(run: Run, underWay: UnderWay): Promise<Run> {
  const { adapter, channel, id } = underWay;
  if (!adapter.lookup) throw new Error(`protocol ${adapter.protocol} promises a lookup and has none`);
  const context = { endpoint: endpointOf(channel, run.task.model), signal: run.signal };
  const found = await adapter.lookup(id, context).catch(asRefused);
  switch (found.kind) {
    case 'found': {
      const { externalId, operation, checkAfterMs } = found;
      return { ...run, outcome: { kind: 'accepted', externalId, operation, checkAfterMs, requestIds: [] } };
    }
    case 'absent':
      return run;
    case 'refused':
      return { ...run, outcome: askLater(run, found.fault) };
    default:
      return found satisfies never;
  }
}

/** A lookup that throws has told nothing, so the attempt must not be started anew for it. */
function asRefused(error: unknown): LookupOutcome {
  const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown error';
  return { kind: 'refused', fault: { code: 'outcome_unknown', detail } };
}
