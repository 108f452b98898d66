import type { DeliveryJob } from '@mediagate/contracts';
import { continueTrace, inSpan } from '@mediagate/tracing';
import { type DeliveryWrites, releaseDeliveries } from '@mediagate/webhooks';
import { DeliverySlots, type SlotLimits } from './delivery-slots';
import { findTarget, type PrepareDeps, prepare } from './prepare';
import { putOff } from './put-off';
import { type RecordDeps, record } from './record';
import { type SendDeps, send } from './send';
import type { Target } from './stages';

export interface DeliverDeps extends PrepareDeps, SendDeps, RecordDeps {
  writes: DeliveryWrites;
  limits: SlotLimits;
}

export interface Deliverer {
  /** Handles one job; never rejects. Ends when this delivery, and those that took over its slot, have ended. */
  deliver(job: DeliveryJob): Promise<void>;
  /** Gives back the claims of what waits for a slot; what is in flight ends by itself. */
  drain(): Promise<void>;
}

/**
 * The life of a callback: claim → target → slot → prepare (count, sign) → send → record. An error on the way, of the database
 * say, leaves the row as it stands: its lease ends, and the reconciler enqueues it again.
 */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const slots = new DeliverySlots<Target>(deps.limits);
  deps.metrics.watchWaiting(() => slots.waitingCount);

  async function deliver(job: DeliveryJob): Promise<void> {
    let target = await guarded(job.deliveryId, () => take(job));
    if (!target || !slots.take(target)) return;
    while (target) {
      const current: Target = target;
      const { traceContext } = current.claim;
      const tookMs = await continueTrace(traceContext, () => guarded(current.id, () => attempt(current, deps)));
      target = slots.release(current, tookMs);
    }
  }

  async function take(job: DeliveryJob): Promise<Target | undefined> {
    const claim = await deps.writes.claim(job.deliveryId);
    if (!claim) return putOff(job, deps);
    deps.metrics.claimed(claim.overdueMs);
    return await continueTrace(claim.traceContext, () => findTarget(claim, deps));
  }

  async function guarded<T>(deliveryId: string, step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      deps.logger.error('webhook.interrupted', { deliveryId, error });
      return undefined;
    }
  }

  return {
    deliver,
    drain: () =>
      releaseDeliveries(
        deps.database,
        slots.close().map((target) => target.claim),
      ),
  };
}

/** What the receiver took; undefined: it was not asked. */
function attempt(target: Target, deps: DeliverDeps): Promise<number | undefined> {
  return inSpan('callback.attempt', { kind: 'consumer', attributes: () => describe(target) }, async () => {
    const prepared = await prepare(target, deps);
    if (!prepared) return undefined;
    const sent = await send(prepared, deps);
    await record(sent, deps);
    return sent.durationMs;
  });
}

function describe({ claim: { id, taskId, accountId, attemptsMade } }: Target) {
  return {
    'mediagate.delivery_id': id,
    'mediagate.task_id': taskId,
    'mediagate.account_id': accountId,
    'mediagate.attempt': attemptsMade + 1,
  };
}
