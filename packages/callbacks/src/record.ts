import { annotate, type Logger } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import type { DeliveryMetrics } from './delivery-metrics';
import type { DeliveryWrites } from './delivery-writes';
import { decide, type Verdict } from './retry-schedule';
import type { SendingRules } from './sending-rules';
import type { Sent } from './stages';

export interface RecordDeps {
  writes: Pick<DeliveryWrites, 'record'>;
  queues: Pick<Queues, 'enqueueDelivery'>;
  rules(): SendingRules;
  metrics: DeliveryMetrics;
  logger: Logger;
}

/** Writes the attempt's end and what follows from it, then enqueues the next one. */
export async function record(sent: Sent, deps: RecordDeps): Promise<void> {
  const { id, attempt, outcome, excerpt } = sent;
  const verdict = decide(attempt.attemptsMade, outcome, deps.rules().retryDelaysMs);
  const { fence, number } = attempt;
  await deps.writes.record({ id, fence }, { number, outcome, verdict, ...(excerpt === undefined ? {} : { excerpt }) });
  report(sent, verdict, deps);
  if (verdict.state === 'pending') await enqueueRetry(sent, verdict.retryAfterMs, deps);
}

/** A hint only: without it the reconciler finds the row when it is due. */
async function enqueueRetry(sent: Sent, delayMs: number, deps: RecordDeps): Promise<void> {
  try {
    await deps.queues.enqueueDelivery({ deliveryId: sent.id, attemptsMade: sent.attempt.attemptsMade, delayMs });
  } catch (error) {
    deps.logger.warn('webhook.enqueue_failed', { deliveryId: sent.id, error });
  }
}

function report(sent: Sent, verdict: Verdict, deps: RecordDeps): void {
  const { delivery, attempt, outcome, durationMs } = sent;
  annotate(() => ({ 'mediagate.outcome': verdict.state === 'pending' ? 'retry' : verdict.state }));
  deps.metrics.attempted(verdict.state === 'pending' ? 'retry' : verdict.state, durationMs);
  deps.logger.info('webhook.attempted', {
    deliveryId: delivery.id,
    taskId: delivery.taskId,
    accountId: delivery.accountId,
    attempt: attempt.attemptsMade,
    outcome: verdict.state,
    durationMs,
    // The host alone: the rest of the URL is the caller's secret.
    detail: sent.host,
    ...(outcome.kind === 'answered' ? { status: outcome.status } : { reason: outcome.reason }),
  });
}
