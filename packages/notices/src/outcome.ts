import { type AttemptOutcome, decide, type Verdict } from '@mediagate/webhooks';

/** Waits after the end of each failed attempt: a receiver may be away for some hours. */
export const NOTICE_RETRY_DELAYS_MS: readonly number[] = [30_000, 120_000, 600_000, 3_600_000, 14_400_000];

/** Answers that another attempt may change, although callbacks end with them. */
const PASSING_STATUSES = new Set([408, 429]);

/** What becomes of a message that was posted. */
export function judgePost(attemptsMade: number, outcome: AttemptOutcome): Verdict {
  const isPassing = outcome.kind === 'answered' && PASSING_STATUSES.has(outcome.status);
  return decide(attemptsMade, isPassing ? failed(`http_${outcome.status}`) : outcome, NOTICE_RETRY_DELAYS_MS);
}

/** How a mail server answered. `refused`: it would answer so again. */
export type MailOutcome = { kind: 'sent' } | { kind: 'refused' | 'failed'; reason: string };

/** What becomes of a message that was mailed. */
export function judgeMail(attemptsMade: number, outcome: MailOutcome): Verdict {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'delivered' };
    case 'refused':
      return { state: 'rejected', reason: outcome.reason };
    case 'failed':
      return decide(attemptsMade, failed(outcome.reason), NOTICE_RETRY_DELAYS_MS);
  }
}

function failed(reason: string): AttemptOutcome {
  return { kind: 'unanswered', reason };
}
