import { type BegunAttempt, endpointOf } from '@mediagate/channels';
import type { Fault } from '@mediagate/contracts';
import type { CurrentAttempt, Run } from '../run-state';
import { askLater, asUnknown } from '../step-outcome';
import type { WorkerDeps } from '../worker-deps';
import { measureCall } from './measure-call';

const LOST: Fault = { code: 'outcome_unknown', detail: 'the worker ended between the call and its answer' };

/** Pause before the next check of an accepted job whose channel this process does not know. */
const CHANNEL_GONE_RETRY_MS = 5000;

/**
 * Takes over the attempt of a worker that is gone. An accepted attempt is checked further. One that was only `starting` may
 * or may not have reached the upstream: it is sent again where the vendor enforces our reference, looked up where the vendor
 * can find it, and otherwise given up with a refund. It is never sent again on a guess.
 */
export async function recoverAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  const { attempt } = run.task;
  if (!attempt) return run;
  const known = await findChannel(run, attempt, deps);
  if ('missing' in known) return withoutChannel(run, attempt, known.missing);
  const { channel, adapter } = known;
  const recovered: Run = { ...run, current: { id: attempt.id, channel, adapter } };
  if (attempt.state === 'accepted') return recovered;
  switch (adapter.afterLostAnswer) {
    case 'never':
      return { ...recovered, outcome: { kind: 'failed', reason: 'outcome_unknown', fault: LOST } };
    case 'idempotent':
      return { ...recovered, inDoubt: true };
    case 'lookup':
      return lookUp(recovered, { id: attempt.id, channel, adapter }, deps);
    default:
      return adapter.afterLostAnswer satisfies never;
  }
}

type Found = Pick<CurrentAttempt, 'channel' | 'adapter'> | { missing: string };

/** The channel as the attempt was begun there: as it is now, in any state, or if it leads elsewhere or is gone, as it was then. */
async function findChannel({ task: { model } }: Run, attempt: BegunAttempt, deps: WorkerDeps): Promise<Found> {
  const known = await deps.channelBook.find(attempt, model);
  if ('missing' in known) return known;
  const { channel } = known;
  const adapter = deps.adapters.get(channel.protocol);
  if (adapter && channel.models.has(model)) return { channel, adapter };
  return { missing: `channel ${attempt.channelId} does not serve ${model}` };
}

/** The channel's key may be missing from the environment for a while, so the task waits; an accepted job until its deadline. */
function withoutChannel(run: Run, { state }: NonNullable<Run['task']['attempt']>, detail: string): Run {
  const fault: Fault = { code: 'outcome_unknown', detail };
  if (state === 'starting') return { ...run, outcome: askLater(run, fault) };
  const checkAfterMs = CHANNEL_GONE_RETRY_MS;
  return { ...run, outcome: { kind: 'waiting', phase: 'queued', checkAfterMs, failedStep: true, fault } };
}

async function lookUp(run: Run, underWay: CurrentAttempt, deps: WorkerDeps): Promise<Run> {
  const { adapter, channel, id } = underWay;
  const { lookup } = adapter;
  if (!lookup) throw new Error(`protocol ${adapter.protocol} promises a lookup and has none`);
  const context = { endpoint: endpointOf(channel, run.task.model), signal: run.signal };
  // A lookup that throws proves nothing, so the attempt must not be started again.
  const found = await measureCall(run, 'lookup', { ask: () => lookup(id, context).catch(asUnknown) }, deps);
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
