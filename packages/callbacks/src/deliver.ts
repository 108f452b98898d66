import type { DeliveryJob } from '@mediagate/contracts';
import { continueTrace, inSpan } from '@mediagate/host';
import { releaseDeliveries } from './deliveries';
import { DeliveryLine } from './delivery-line';
import type { DeliveryWrites } from './delivery-writes';
import { claimTarget, findTarget, type PrepareDeps, prepare } from './prepare';
import { putOff } from './put-off';
import { type RecordDeps, record } from './record';
import { type SendDeps, send } from './send';
import type { Target } from './stages';

export interface DeliverDeps extends PrepareDeps, SendDeps, RecordDeps {
  writes: DeliveryWrites;
  /** Callbacks in flight at once. */
  concurrency: number;
}

export interface Deliverer {
  /** Handles one job; never rejects. Ends when this delivery has ended, or waits for its slot. */
  deliver(job: DeliveryJob): Promise<void>;
  /** Gives back the claims of what waits for a slot; what is in flight ends by itself. */
  drain(): Promise<void>;
  /** Resolves once those have ended that had waited for their slot and are in flight. */
  ended(): Promise<void>;
}

/**
 * The life of a callback: read → target → slot → prepare (claim, count, sign) → send → record. One that has to wait for its slot is
 * claimed before. An error on the way, of the database say, leaves the row as it stands: its lease ends, and the reconciler enqueues
 * it again.
 */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const line = new DeliveryLine<Target>(deps.concurrency, carry);
  deps.metrics.watchWaiting(() => line.waitingCount);

  async function deliver(job: DeliveryJob): Promise<void> {
    await stepOf(job.deliveryId, () => take(job, line, deps), deps);
  }

  function carry(target: Target): Promise<number | undefined> {
    return continueTrace(target.delivery.traceContext, () => stepOf(target.id, () => attempt(target, deps), deps));
  }

  return {
    deliver,
    drain: () =>
      releaseDeliveries(
        deps.database,
        line.close().map(({ delivery }) => delivery),
      ),
    ended: () => line.ended(),
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

/** Carries it at once where it has a slot; what has to wait for one does so under a claim. */
async function take(job: DeliveryJob, line: DeliveryLine<Target>, deps: DeliverDeps): Promise<void> {
  const due = await deps.writes.read(job.deliveryId);
  if (!due) return putOff(job, deps);
  const { traceContext, overdueMs } = due.delivery;
  const target = await continueTrace(traceContext, () => findTarget(due, deps));
  if (!target) return;
  const carried = line.tryCarry(target);
  if (carried !== undefined) {
    deps.metrics.claimed(overdueMs);
    return carried;
  }
  const claimed = await claimTarget(target, deps);
  if (!claimed) return;
  deps.metrics.claimed(overdueMs);
  line.queue(claimed);
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
