import type { DeliveryJob } from '@mediagate/contracts';
import { continueTrace, inSpan } from '@mediagate/tracing';
import { type DeliveryWrites, releaseDeliveries } from '@mediagate/webhooks';
import { DeliverySlots, type SlotLimits } from './delivery-slots';
import { claimTarget, findTarget, type PrepareDeps, prepare } from './prepare';
import { putOff } from './put-off';
import { type RecordDeps, record } from './record';
import { type SendDeps, send } from './send';
import type { Target } from './stages';

export interface DeliverDeps extends PrepareDeps, SendDeps, RecordDeps {
  writes: DeliveryWrites;
  limits: SlotLimits;
}

export interface Deliverer {
  /** Handles one job; never rejects. Ends when this delivery, and those that were begun once it freed its slot, have ended. */
  deliver(job: DeliveryJob): Promise<void>;
  /** Gives back the claims of what waits for a slot; what is in flight ends by itself. */
  drain(): Promise<void>;
}

/**
 * The life of a callback: read → target → slot → prepare (claim, count, sign) → send → record. One that has to wait for its slot is
 * claimed before. An error on the way, of the database say, leaves the row as it stands: its lease ends, and the reconciler enqueues
 * it again.
 */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const slots = new DeliverySlots<Target>(deps.limits);
  deps.metrics.watchWaiting(() => slots.waitingCount);
  const guarded = <T>(deliveryId: string, step: () => Promise<T>) => stepOf(deliveryId, step, deps);

  async function deliver(job: DeliveryJob): Promise<void> {
    const target = await guarded(job.deliveryId, () => take(job, slots, deps));
    if (target) await carry(target);
  }

  /** With all that are begun as slots come free by it. */
  async function carry(first: Target): Promise<void> {
    const others = new Set<Promise<void>>();
    for (let current: Target | undefined = first; current !== undefined; ) {
      const target: Target = current;
      const { traceContext } = target.delivery;
      const tookMs = await continueTrace(traceContext, () => guarded(target.id, () => attempt(target, deps)));
      const [next, ...further] = slots.release(target, tookMs);
      for (const each of further) {
        const carried = carry(each).finally(() => others.delete(carried));
        others.add(carried);
      }
      current = next;
    }
    await Promise.all(others);
  }

  return {
    deliver,
    drain: () =>
      releaseDeliveries(
        deps.database,
        slots.close().map(({ delivery }) => delivery),
      ),
  };
}

/** Undefined also: it was interrupted, and the row stays as it is. */
async function stepOf<T>(deliveryId: string, step: () => Promise<T>, { logger }: DeliverDeps): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    logger.error('webhook.interrupted', { deliveryId, error });
    return undefined;
  }
}

/** With its slot. What has to wait for one does so under a claim; whoever frees a slot goes on with it. */
async function take(job: DeliveryJob, slots: DeliverySlots<Target>, deps: DeliverDeps): Promise<Target | undefined> {
  const due = await deps.writes.read(job.deliveryId);
  if (!due) return putOff(job, deps);
  const { traceContext, overdueMs } = due.delivery;
  const target = await continueTrace(traceContext, () => findTarget(due, deps));
  if (!target) return undefined;
  const hasSlot = slots.tryTake(target);
  const held = hasSlot ? target : await claimTarget(target, deps);
  if (held) deps.metrics.claimed(overdueMs);
  return hasSlot || (held && slots.take(held)) ? held : undefined;
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

function describe({ delivery: { id, taskId, accountId, attemptsMade } }: Target) {
  return {
    'mediagate.delivery_id': id,
    'mediagate.task_id': taskId,
    'mediagate.account_id': accountId,
    'mediagate.attempt': attemptsMade + 1,
  };
}
