import { type DeliveryJob, isTerminal, toTaskRecord } from '@mediagate/contracts';
import type { AttemptResult, ClaimedDelivery, DeliveryEnd } from '@mediagate/database';
import { annotate, continueTrace, inSpan } from '@mediagate/host';
import { translateError } from '@mediagate/languages';
import { exemptionOf, judgeWebhook } from './callback-url';
import { enqueueDelivery } from './callbacks';
import { postCallback } from './post-callback';
import { type AttemptOutcome, type DeliveryVerdict, decide, hasAttemptLeft, retryIfLostMs } from './retry-schedule';
import { type DueForAttempt, type Prepared, readDue, type Sender, type Sent, type Target } from './sender';
import { callbackHeaders } from './sign';

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
  const due = await readDue(sender, job.deliveryId);
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
 * Judges where a delivery would go. Undefined: it is over without a request, and the row says why: its URL breaks the rules, or
 * its last attempt was under way when its process died.
 */
export async function findTarget(sender: Sender, { delivery, task }: DueForAttempt): Promise<Target | undefined> {
  const { policy, retryDelaysMs } = sender.rules();
  const { id, accountId } = delivery;
  if (!hasAttemptLeft(delivery.attemptsMade, retryDelaysMs)) {
    return await endUnsent(sender, delivery, { state: 'exhausted', reason: 'outcome_lost' });
  }
  const judged = judgeWebhook(delivery.url, policy);
  if (!judged.ok) return await endUnsent(sender, delivery, { state: 'dropped', reason: judged.reason });
  const { url, host } = judged;
  return { id, accountId, host, url, delivery, isClaimed: false, ...(task && { task }) };
}

/** Longer than anything between a claim and the start of its attempt. */
const CLAIM_LEASE_MS = 30_000;

/**
 * The same target under a claim: while it waits, nobody else is to have it. Undefined: somebody has; or another attempt was made since it
 * was read, and once its lease ends it is looked at anew.
 */
async function claimTarget(sender: Sender, target: Target): Promise<Target | undefined> {
  const delivery = await sender.database.claimDelivery(target.id, CLAIM_LEASE_MS);
  if (delivery?.attemptsMade !== target.delivery.attemptsMade) return undefined;
  return { ...target, delivery, isClaimed: true };
}

/** Changes nothing where somebody has claimed it, or made an attempt, since it was read. */
async function endUnsent(sender: Sender, read: ClaimedDelivery, end: DeliveryEnd): Promise<undefined> {
  const ended = await sender.database.endDelivery(read, end);
  if (ended.length === 0) return;
  const { id: deliveryId, taskId, accountId } = read;
  const fields = { deliveryId, taskId, accountId, outcome: end.state, reason: end.reason };
  const detail = exemptionOf({ url: read.url, reason: end.reason });
  if (detail === undefined) sender.logger.info('webhook.ended', fields);
  else sender.logger.warn('webhook.ended', { ...fields, detail });
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

/** How long a lease outlasts its attempt's time limit: time to write the outcome down. */
const LEASE_MARGIN_MS = 5000;

/**
 * Counts the attempt, with the bytes it will send, and signs them. Undefined: somebody else has the delivery by now.
 *
 * @throws Error when the task is missing or has not ended, which no committed delivery allows.
 */
export async function prepare(sender: Sender, target: Target): Promise<Prepared | undefined> {
  const { delivery, isClaimed } = target;
  const { timeoutMs, retryDelaysMs } = sender.rules();
  const { id, fence, attemptsMade } = delivery;
  const attempt = await sender.database.startDeliveryAttempt({
    id,
    fence,
    attemptsMade,
    isClaimed,
    body: delivery.body ?? (await makeBody(sender, target)),
    leaseMs: timeoutMs + LEASE_MARGIN_MS,
    retryIfLostMs: retryIfLostMs(attemptsMade, timeoutMs, retryDelaysMs),
  });
  if (!attempt) return undefined;
  const headers = callbackHeaders({
    id: delivery.taskId,
    timestamp: attempt.startedAt,
    body: attempt.body,
    secrets: delivery.secrets,
  });
  return { ...target, attempt, headers };
}

/**
 * The bare task record, its error in the language of the submission, serialised once: the first attempt stores it, and every
 * one sends what is stored.
 */
async function makeBody({ creditsPerUnit, messages }: Sender, { task, delivery }: Target): Promise<string> {
  if (!task || !isTerminal(task.status)) throw new Error(`${delivery.taskId} has a callback but has not ended`);
  const record = toTaskRecord(task, { creditsPerUnit });
  return JSON.stringify(await translateError(record, task.error, { language: task.language, messages }));
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
  await sender.database.recordDeliveryAttempt(resultOf(sent, verdict));
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
