import type { DeliveryJob } from '@mediagate/contracts';
import type { AttemptResult } from '@mediagate/database';
import { annotate, continueTrace, inSpan } from '@mediagate/host';
import { exemptionOf } from './callback-url';
import { enqueueDelivery } from './enqueue-delivery';
import { postCallback } from './post-callback';
import { claimTarget, findTarget, prepare } from './prepare';
import { type AttemptOutcome, type DeliveryVerdict, decide } from './retry-schedule';
import type { Sender, Sent, Target } from './sender';

/**
 * The life of a callback: turn → read → target → slot → prepare (claim, count, sign) → post → record. One that has to wait for its slot is
 * claimed before. Ends when this delivery has ended or waits for its slot, and never rejects.
 */
export async function deliver(sender: Sender, job: DeliveryJob): Promise<void> {
  await sender.line.inTurn(async () => {
    await stepOf(job.deliveryId, sender, () => take(sender, job));
  });
}

/** Gives back the claims of what waits for a slot; what is in flight ends by itself. */
export async function releaseWaiting({ line, database }: Sender): Promise<void> {
  const claims = line.close().map(({ delivery }) => delivery);
  if (claims.length > 0) await database.releaseDeliveries(claims);
}

/**
 * An error on the way, of the database say, leaves the row as it stands: its lease ends, and the reconciler enqueues it again.
 * Undefined also: it was interrupted so.
 */
async function stepOf<T>(deliveryId: string, { logger }: Sender, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    logger.error('webhook.interrupted', { deliveryId, error });
    return undefined;
  }
}

/** Carries it at once where it has a slot; what has to wait for one does so under a claim. */
async function take(sender: Sender, job: DeliveryJob): Promise<void> {
  const { line, metrics } = sender;
  const due = await sender.read(job.deliveryId);
  if (!due) return putOff(sender, job);
  const { traceContext, overdueMs } = due.delivery;
  const target = await continueTrace(traceContext, () => findTarget(sender, due));
  if (!target) return;
  const carry = (next: Target) => carryTarget(sender, next);
  const carried = line.tryCarry(target, carry);
  if (carried !== undefined) {
    metrics.claimed(overdueMs);
    return carried;
  }
  const claimed = await claimTarget(sender, target);
  if (!claimed) return;
  metrics.claimed(overdueMs);
  line.queue(claimed, carry);
}

/**
 * Enqueues a job again that came before its time, because clocks of processes differ, by the database's clock; one of an earlier attempt
 * has nothing to wait for.
 */
async function putOff(sender: Sender, { deliveryId, attemptsMade }: DeliveryJob): Promise<void> {
  const [early] = await sender.database.findEarlyDelivery(deliveryId);
  if (early === undefined || early.attemptsMade !== attemptsMade) return;
  const [delayMs, distinct] = [Math.ceil(early.waitMs), `early-${Date.now()}`];
  await enqueueDelivery(sender, { deliveryId, attemptsMade, delayMs, distinct });
}

function carryTarget(sender: Sender, target: Target): Promise<number | undefined> {
  return continueTrace(target.delivery.traceContext, () => stepOf(target.id, sender, () => attempt(sender, target)));
}

/** Returns how many milliseconds the receiver took; undefined: nothing was sent. */
function attempt(sender: Sender, target: Target): Promise<number | undefined> {
  return inSpan('callback.attempt', { kind: 'consumer', attributes: () => describe(target) }, async () => {
    const prepared = await prepare(sender, target);
    if (!prepared) return undefined;
    const { url, headers, attempt: started } = prepared;
    const posted = await postCallback({ owner: target, url, headers, body: started.body }, sender.rules());
    await record(sender, { ...prepared, ...posted });
    return posted.durationMs;
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

/** Writes the attempt's end and what follows from it, then enqueues the next one. */
async function record(sender: Sender, sent: Sent): Promise<void> {
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
