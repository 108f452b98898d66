import { type ListedDelivery, REDELIVERIES_A_DAY } from '@mediagate/callbacks';
import { GatewayError, message, type TaskId } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { QueuedDelivery } from '@mediagate/queue';
import { requireChanged } from './require-changed';
import { secondsToMidnight } from './seconds-to-midnight';

export interface RedeliverDeps {
  /** At most one: a task has one callback. */
  listDeliveries(taskId: TaskId): Promise<ListedDelivery[]>;
  /** Due again in one statement, unless it is still pending or was sent again as often as may be today. */
  redeliver(deliveryId: string, request: ChangeRequest): Promise<ChangeOutcome>;
  isRedeliveredOften(deliveryId: string): Promise<boolean>;
  enqueueDelivery(delivery: QueuedDelivery): Promise<void>;
  logger: Logger;
}

/** A task of the caller's account. */
export interface EndedTask {
  id: TaskId;
  webhook: string | null;
}

export interface Redelivery {
  delivery: ListedDelivery;
  /** The request came before: nothing is sent again. */
  replayed: boolean;
}

export type RedeliverCallback = (task: EndedTask, request: ChangeRequest) => Promise<Redelivery>;

/**
 * @throws (the function it returns) GatewayError `not_found` (no webhook was given), `conflict` (still on its way), `rate_limited` (too
 * often today), `idempotency_conflict`.
 */
export function createRedeliverCallback(deps: RedeliverDeps): RedeliverCallback {
  const { listDeliveries, redeliver, isRedeliveredOften } = deps;
  return async ({ id, webhook }, request) => {
    if (webhook === null) throw new GatewayError('not_found', message('callback_none'));
    const [delivery] = await listDeliveries(id);
    // Its row is written when the task ends.
    if (!delivery) throw pending();
    const { row, replayed } = await requireChanged(await redeliver(delivery.id, request), {
      unchanged: async () => ((await isRedeliveredOften(delivery.id)) ? tooOften() : pending()),
    });
    if (!replayed) void enqueue(delivery.id, Number(row.after['fence']), deps);
    const [scheduled = delivery] = await listDeliveries(id);
    return { delivery: scheduled, replayed };
  };
}

function pending(): GatewayError {
  return new GatewayError('conflict', message('callback_pending'));
}

function tooOften(): GatewayError {
  return new GatewayError('rate_limited', message('callbacks_a_day', { limit: REDELIVERIES_A_DAY }), {
    retryAfterSeconds: secondsToMidnight(),
  });
}

/** A hint only, which the answer does not wait for: without it the reconciler finds the row. */
async function enqueue(deliveryId: string, fence: number, { enqueueDelivery, logger }: RedeliverDeps): Promise<void> {
  try {
    await enqueueDelivery({ deliveryId, attemptsMade: 0, distinct: String(fence) });
  } catch (error) {
    logger.warn('webhook.enqueue_failed', { deliveryId, error });
  }
}
