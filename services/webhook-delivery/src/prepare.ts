import { isTerminal } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { type TaskRow, toTaskRecord } from '@mediagate/tasks';
import { type Messages, translateError } from '@mediagate/translation';
import {
  type ClaimedDelivery,
  callbackHeaders,
  type DeliveryWrites,
  endDelivery,
  hasAttemptLeft,
  judgeWebhook,
  retryIfLostMs,
  type SendingRules,
} from '@mediagate/webhooks';
import type { Prepared, Target } from './stages';

/** What a lease outlives its attempt's time limit by: time to write the outcome down. */
const LEASE_MARGIN_MS = 5000;

export interface PrepareDeps {
  database: Database;
  writes: Pick<DeliveryWrites, 'start'>;
  readTask(id: string): Promise<TaskRow | undefined>;
  rules(): SendingRules;
  creditsPerUnit: number;
  messages: Messages;
  logger: Logger;
}

/**
 * Judges where a claimed delivery would go. Undefined: it is over without a request, and the row says why: its URL breaks
 * the rules, or its last attempt was under way when its process died.
 */
export async function findTarget(claim: ClaimedDelivery, deps: PrepareDeps): Promise<Target | undefined> {
  const { policy, retryDelaysMs } = deps.rules();
  if (!hasAttemptLeft(claim.attemptsMade, retryDelaysMs)) {
    return await endUnsent(claim, { state: 'exhausted', reason: 'outcome_lost' }, deps);
  }
  const judged = judgeWebhook(claim.url, policy);
  if (!judged.ok) {
    return await endUnsent(claim, { state: 'dropped', reason: judged.reason }, deps);
  }
  return { id: claim.id, accountId: claim.accountId, host: new URL(judged.url).host, url: judged.url, claim };
}

async function endUnsent(
  claim: ClaimedDelivery,
  end: { state: 'dropped' | 'exhausted'; reason: string },
  { database, logger }: PrepareDeps,
): Promise<undefined> {
  if (!(await endDelivery(database, claim, end))) return;
  const { id: deliveryId, taskId, accountId } = claim;
  logger.info('webhook.ended', { deliveryId, taskId, accountId, outcome: end.state, reason: end.reason });
}

/**
 * Counts the attempt, with the bytes it will send, and signs them. Undefined: somebody else has the delivery by now.
 *
 * @throws Error when the task is missing or has not ended, which no committed delivery allows.
 */
export async function prepare(target: Target, deps: PrepareDeps): Promise<Prepared | undefined> {
  const { claim } = target;
  const { timeoutMs, retryDelaysMs } = deps.rules();
  const attempt = await deps.writes.start(claim, {
    body: claim.body ?? (await makeBody(claim.taskId, deps)),
    leaseMs: timeoutMs + LEASE_MARGIN_MS,
    retryIfLostMs: retryIfLostMs(claim.attemptsMade, timeoutMs, retryDelaysMs),
  });
  if (!attempt) return undefined;
  const headers = callbackHeaders({
    id: claim.taskId,
    timestamp: attempt.startedAt,
    body: attempt.body,
    secrets: claim.secrets,
  });
  return { ...target, attempt, headers };
}

/**
 * The bare task record, its error in the language of the submission, serialised once: the first attempt stores it, and every
 * one sends what is stored.
 */
async function makeBody(taskId: string, deps: PrepareDeps): Promise<string> {
  const task = await deps.readTask(taskId);
  if (!task || !isTerminal(task.status)) throw new Error(`${taskId} has a callback but has not ended`);
  const record = toTaskRecord(task, { creditsPerUnit: deps.creditsPerUnit });
  return JSON.stringify(await translateError(record, task.error, { language: task.language, messages: deps.messages }));
}
