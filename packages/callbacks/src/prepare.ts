import { isTerminal, toTaskRecord } from '@mediagate/contracts';
import type { ClaimedDelivery, DeliveryEnd, DueForAttempt } from '@mediagate/database';
import { translateError } from '@mediagate/languages';
import { exemptionOf, judgeWebhook } from './callback-url';
import { hasAttemptLeft, retryIfLostMs } from './retry-schedule';
import type { Prepared, Sender, Target } from './sender';
import { callbackHeaders } from './sign';

/** How long a lease outlasts its attempt's time limit: time to write the outcome down. */
const LEASE_MARGIN_MS = 5000;

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

/** The same target under a claim: while it waits, nobody else is to have it. Undefined: somebody has. */
export async function claimTarget(sender: Sender, target: Target): Promise<Target | undefined> {
  const delivery = await claimAsRead(sender, target.delivery);
  return delivery && { ...target, delivery, isClaimed: true };
}

/** Undefined also: another attempt was made since it was read. Its lease ends, and it is looked at anew. */
async function claimAsRead(sender: Sender, read: ClaimedDelivery): Promise<ClaimedDelivery | undefined> {
  const claim = await sender.claim(read.id);
  return claim?.attemptsMade === read.attemptsMade ? claim : undefined;
}

async function endUnsent(sender: Sender, read: ClaimedDelivery, end: DeliveryEnd): Promise<undefined> {
  const claim = await claimAsRead(sender, read);
  if (!claim) return;
  const ended = await sender.database.endDelivery(claim, end);
  if (ended.length === 0) return;
  const { id: deliveryId, taskId, accountId } = claim;
  const fields = { deliveryId, taskId, accountId, outcome: end.state, reason: end.reason };
  const detail = exemptionOf({ url: read.url, reason: end.reason });
  if (detail === undefined) sender.logger.info('webhook.ended', fields);
  else sender.logger.warn('webhook.ended', { ...fields, detail });
}

/**
 * Counts the attempt, with the bytes it will send, and signs them. Undefined: somebody else has the delivery by now.
 *
 * @throws Error when the task is missing or has not ended, which no committed delivery allows.
 */
export async function prepare(sender: Sender, target: Target): Promise<Prepared | undefined> {
  const { delivery, isClaimed } = target;
  const { timeoutMs, retryDelaysMs } = sender.rules();
  const { id, fence, attemptsMade } = delivery;
  const attempt = await sender.start({
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
