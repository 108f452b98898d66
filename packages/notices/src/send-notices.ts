import type { ClaimedMessage, Database } from '@mediagate/database';
import { OPERATORS } from '@mediagate/database';
import { callbackHeaders, judgeUrl, postCallback, type SendingRules, type Verdict } from '@mediagate/webhooks';
import type { Mailer } from './mailer';
import { judgeMail, judgePost, NOTICE_RETRY_DELAYS_MS } from './outcome';
import { writeMail, writeSlack, writeWebhook } from './write-message';

/** Sent at once by one process. */
const BATCH = 20;
/** Longer than any attempt may take. */
const LEASE_MS = 60_000;

export interface NoticeSenderDeps {
  database: Pick<Database, 'claimNoticeMessages' | 'recordNoticeMessage'>;
  /** For what holders of accounts have named: as for callbacks. */
  accountRules(): SendingRules;
  /** For what operators have named. */
  operatorRules(): SendingRules;
  /** Absent: no mail server is set. */
  mailer: Mailer | undefined;
  onSent(message: ClaimedMessage, verdict: Verdict): void;
}

/** Sends what is due, once each, and writes down what came of it. */
export function createNoticeSender(deps: NoticeSenderDeps): () => Promise<{ sent: number; more: boolean }> {
  return async () => {
    const claimed = await deps.database.claimNoticeMessages({ limit: BATCH, leaseMs: LEASE_MS });
    const ended = await Promise.allSettled(claimed.map((message) => sendOne(message, deps)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return { sent: claimed.length, more: claimed.length === BATCH };
  };
}

/** An error on the way leaves the row as it is: it is due again when its lease ends. */
async function sendOne(message: ClaimedMessage, deps: NoticeSenderDeps): Promise<void> {
  const verdict = await attempt(message, deps);
  const { id, fence } = message;
  await deps.database.recordNoticeMessage({
    id,
    fence,
    state: verdict.state,
    reason: verdict.state === 'delivered' ? null : verdict.reason,
    retryAfterMs: verdict.state === 'pending' ? verdict.retryAfterMs : null,
  });
  deps.onSent(message, verdict);
}

async function attempt(message: ClaimedMessage, deps: NoticeSenderDeps): Promise<Verdict> {
  // The outcome of the last attempt was lost with its process.
  if (message.attemptsMade > NOTICE_RETRY_DELAYS_MS.length + 1) return { state: 'exhausted', reason: 'outcome_lost' };
  return message.medium === 'email' ? await mail(message, deps) : await post(message, deps);
}

async function mail(message: ClaimedMessage, { mailer }: NoticeSenderDeps): Promise<Verdict> {
  if (mailer === undefined) return { state: 'dropped', reason: 'no_mail_server' };
  return judgeMail(message.attemptsMade, await mailer.send(writeMail(message, message.address)));
}

async function post(message: ClaimedMessage, deps: NoticeSenderDeps): Promise<Verdict> {
  const rules = message.owner === OPERATORS ? deps.operatorRules() : deps.accountRules();
  const judged = judgeUrl(message.address, rules.policy);
  if (!judged.ok) return { state: 'dropped', reason: judged.reason };
  const { outcome } = await postCallback({ url: judged.url, ...requestOf(message) }, rules);
  return judgePost(message.attemptsMade, outcome);
}

function requestOf(message: ClaimedMessage): { headers: Record<string, string>; body: string } {
  if (message.medium === 'slack') {
    return { headers: { 'content-type': 'application/json', 'user-agent': 'mediagate' }, body: writeSlack(message) };
  }
  const body = writeWebhook(message);
  const { id, startedAt: timestamp, secrets } = message;
  return { headers: callbackHeaders({ id, timestamp, body, secrets }), body };
}
