import type { AttemptResult } from '@mediagate/database';
import { annotate } from '@mediagate/host';
import { enqueueDelivery } from './enqueue-delivery';
import { exemptionOf } from './exemption';
import { type AttemptOutcome, type DeliveryVerdict, decide } from './retry-schedule';
import type { Sender } from './sender';
import type { Sent } from './stages';

/** Writes the attempt's end and what follows from it, then enqueues the next one. */
export async function record(sender: Sender, sent: Sent): Promise<void> {
  const { id, attempt, outcome } = sent;
  const { attemptsMade } = attempt;
  const verdict = decide(attemptsMade, outcome, sender.rules().retryDelaysMs);
  await sender.record(resultOf(sent, verdict));
  report(sender, sent, verdict);
  if (verdict.state !== 'pending') return;
  await enqueueDelivery(sender, { deliveryId: id, attemptsMade, delayMs: verdict.retryAfterMs });
}

function resultOf({ id, attempt: { fence, number }, outcome, excerpt }: Sent, verdict: DeliveryVerdict): AttemptResult {
  return {
    id,
    fence,
    number,
    httpStatus: outcome.kind === 'answered' ? outcome.status : null,
    error: errorOf(outcome),
    excerpt: excerpt ?? null,
    state: verdict.state,
    reason: verdict.state === 'delivered' ? null : verdict.reason,
    retryAfterMs: verdict.state === 'pending' ? verdict.retryAfterMs : null,
  };
}

function errorOf(outcome: AttemptOutcome): string | null {
  if (outcome.kind === 'answered') return null;
  return outcome.detail === undefined ? outcome.reason : `${outcome.reason}: ${outcome.detail}`;
}

function report({ metrics, logger }: Sender, sent: Sent, verdict: DeliveryVerdict): void {
  const { delivery, attempt, outcome, durationMs } = sent;
  const followed = verdict.state === 'pending' ? 'retry' : verdict.state;
  annotate(() => ({ 'mediagate.outcome': followed }));
  metrics.attempted(followed, durationMs);
  // Not every name says before it is looked up that it leads to a private address.
  const exemption = outcome.kind === 'blocked' ? exemptionOf({ url: delivery.url, reason: outcome.reason }) : undefined;
  logger[exemption === undefined ? 'info' : 'warn']('webhook.attempted', {
    deliveryId: delivery.id,
    taskId: delivery.taskId,
    accountId: delivery.accountId,
    attempt: attempt.attemptsMade,
    outcome: verdict.state,
    durationMs,
    // The host alone: the rest of the URL is the caller's secret.
    detail: exemption ?? sent.host,
    ...(outcome.kind === 'answered' ? { status: outcome.status } : { reason: outcome.reason }),
  });
}
