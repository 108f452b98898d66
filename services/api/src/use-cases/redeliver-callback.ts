import { GatewayError, message, type TaskId } from '@mediagate/contracts';
import type { ChangeOutcome } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { QueuedDelivery } from '@mediagate/queue';
import type { ListedDelivery } from '@mediagate/webhooks';
import type { Caller } from './caller';

export interface RedeliverDeps {
  /** At most one: a task has one callback. */
  listDeliveries(taskId: TaskId): Promise<ListedDelivery[]>;
  /** Due again in one statement, unless it is still pending. */
  redeliver(deliveryId: string, actor: string): Promise<ChangeOutcome>;
  enqueueDelivery(delivery: QueuedDelivery): Promise<void>;
  logger: Logger;
}

/** A task of the caller's account. */
export interface EndedTask {
  id: TaskId;
  webhook: string | null;
}

export type RedeliverCallback = (task: EndedTask, caller: Caller) => Promise<ListedDelivery>;

/** @throws (the function it returns) GatewayError `not_found` (no webhook was given), `conflict` (still on its way). */
export function createRedeliverCallback(deps: RedeliverDeps): RedeliverCallback {
  const { listDeliveries, redeliver } = deps;
  return async ({ id, webhook }, caller) => {
    if (webhook === null) throw new GatewayError('not_found', message('callback_none'));
    const [delivery] = await listDeliveries(id);
    // Its row is written when the task ends.
    if (!delivery) throw new GatewayError('conflict', message('callback_pending'));
    const outcome = await redeliver(delivery.id, `key:${caller.id}`);
    if (outcome.kind !== 'changed') throw new GatewayError('conflict', message('callback_pending'));
    void enqueue(delivery.id, Number(outcome.row.after['fence']), deps);
    const [scheduled = delivery] = await listDeliveries(id);
    return scheduled;
  };
}

/** A hint only, which the answer does not wait for: without it the reconciler finds the row. */
async function enqueue(deliveryId: string, fence: number, { enqueueDelivery, logger }: RedeliverDeps): Promise<void> {
  try {
    await enqueueDelivery({ deliveryId, attemptsMade: 0, distinct: String(fence) });
  } catch (error) {
    logger.warn('webhook.enqueue_failed', { deliveryId, error });
  }
}
