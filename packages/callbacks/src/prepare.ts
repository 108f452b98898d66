import { isTerminal } from '@mediagate/contracts';
import type { ClaimedDelivery, Database, DueForAttempt } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { type Messages, translateError } from '@mediagate/languages';
import { toTaskRecord } from '@mediagate/tasks';
import { judgeWebhook } from './callback-url';
import { endDelivery } from './deliveries';
import type { DeliveryWrites } from './delivery-writes';
import { hasAttemptLeft, retryIfLostMs } from './retry-schedule';
import type { SendingRules } from './sending-rules';
import { callbackHeaders } from './sign';
import type { Prepared, Target } from './stages';

/** What a lease outlives its attempt's time limit by: time to write the outcome down. */
const LEASE_MARGIN_MS = 5000;

export interface PrepareDeps {
  database: Database;
  writes: Pick<DeliveryWrites, 'start' | 'claim'>;
  rules(): SendingRules;
  creditsPerUnit: number;
  messages: Messages;
  logger: Logger;
}

/**
 * Judges where a delivery would go. Undefined: it is over without a request, and the row says why: its URL breaks the rules, or
 * its last attempt was under way when its process died.
 */
export async function findTarget({ delivery, task }: DueForAttempt, deps: PrepareDeps): Promise<Target | undefined> {
  const { policy, retryDelaysMs } = deps.rules();
  const { id, accountId } = delivery;
  if (!hasAttemptLeft(delivery.attemptsMade, retryDelaysMs)) {
    return await endUnsent(delivery, { state: 'exhausted', reason: 'outcome_lost' }, deps);
  }
  const judged = judgeWebhook(delivery.url, policy);
  if (!judged.ok) {
    return await endUnsent(delivery, { state: 'dropped', reason: judged.reason }, deps);
  }
  const { url, host } = judged;
  return { id, accountId, host, url, delivery, isClaimed: false, ...(task && { task }) };
}

/** The same target under a claim: while it waits, nobody else is to have it. Undefined: somebody has. */
export async function claimTarget(target: Target, deps: PrepareDeps): Promise<Target | undefined> {
  const delivery = await claimAsRead(target.delivery, deps);
  return delivery && { ...target, delivery, isClaimed: true };
}

/** Undefined also: another attempt was made since it was read. Its lease ends, and it is looked at anew. */
async function claimAsRead(read: ClaimedDelivery, { writes }: PrepareDeps): Promise<ClaimedDelivery | undefined> {
  const claim = await writes.claim(read.id);
  return claim?.attemptsMade === read.attemptsMade ? claim : undefined;
}

async function endUnsent(
  read: ClaimedDelivery,
  end: { state: 'dropped' | 'exhausted'; reason: string },
  deps: PrepareDeps,
): Promise<undefined> {
  const claim = await claimAsRead(read, deps);
  if (!claim || !(await endDelivery(deps.database, claim, end))) return;
  const { id: deliveryId, taskId, accountId } = claim;
  deps.logger.info('webhook.ended', { deliveryId, taskId, accountId, outcome: end.state, reason: end.reason });
}

/**
 * Counts the attempt, with the bytes it will send, and signs them. Undefined: somebody else has the delivery by now.
 *
 * @throws Error when the task is missing or has not ended, which no committed delivery allows.
 */
export async function prepare(target: Target, deps: PrepareDeps): Promise<Prepared | undefined> {
  const { delivery, isClaimed } = target;
  const { timeoutMs, retryDelaysMs } = deps.rules();
  const { id, fence, attemptsMade } = delivery;
  const attempt = await deps.writes.start(
    { id, fence, attemptsMade, isClaimed },
    {
      body: delivery.body ?? (await makeBody(target, deps)),
      leaseMs: timeoutMs + LEASE_MARGIN_MS,
      retryIfLostMs: retryIfLostMs(attemptsMade, timeoutMs, retryDelaysMs),
    },
  );
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
async function makeBody({ task, delivery }: Target, deps: PrepareDeps): Promise<string> {
  if (!task || !isTerminal(task.status)) throw new Error(`${delivery.taskId} has a callback but has not ended`);
  const record = toTaskRecord(task, { creditsPerUnit: deps.creditsPerUnit });
  return JSON.stringify(await translateError(record, task.error, { language: task.language, messages: deps.messages }));
}
