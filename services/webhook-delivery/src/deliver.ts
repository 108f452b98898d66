import type { DeliveryJob } from '@mediagate/contracts';
import { type DeliveryWrites, releaseDeliveries } from '@mediagate/webhooks';
import { createLanes, type LaneLimits } from './lanes';
import { findTarget, type PrepareDeps, prepare } from './prepare';
import { type RecordDeps, record } from './record';
import { type SendDeps, send } from './send';
import type { Target } from './stages';

export interface DeliverDeps extends PrepareDeps, SendDeps, RecordDeps {
  writes: DeliveryWrites;
  limits: LaneLimits;
}

export interface Deliverer {
  /** Handles one wake-up; never rejects. Ends when this delivery, and those that took over its place, have ended. */
  deliver(job: DeliveryJob): Promise<void>;
  /** Gives back what waits for a place; what is in flight ends by itself. */
  drain(): Promise<void>;
}

/**
 * The life of a callback: claim → target → place in a lane → prepare (count, sign) → send → record. A fault on the way, of
 * the database say, leaves the row as it stands: its lease ends, and the reconciler wakes it again.
 */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const lanes = createLanes<Target>(deps.limits);
  deps.metrics.watchParked(lanes.parkedCount);

  async function deliver({ deliveryId }: DeliveryJob): Promise<void> {
    let target = await guarded(deliveryId, () => take(deliveryId));
    if (!target || !lanes.enter(target)) return;
    while (target) {
      const current: Target = target;
      await guarded(current.id, () => attempt(current));
      target = lanes.leave(current);
    }
  }

  async function take(deliveryId: string): Promise<Target | undefined> {
    const claim = await deps.writes.claim(deliveryId);
    if (!claim) return undefined;
    deps.metrics.claimed(claim.overdueMs);
    return await findTarget(claim, deps);
  }

  async function attempt(target: Target): Promise<void> {
    const prepared = await prepare(target, deps);
    if (prepared) await record(await send(prepared, deps), deps);
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
        lanes.close().map((target) => target.claim),
      ),
  };
}
