import { type AttemptOutcome, type DeliveryVerdict, decide } from '@mediagate/callbacks';
import type { ClaimedMessage } from '@mediagate/database';

/** Waits after the end of each failed attempt: a receiver may be away for some hours. */
const NOTICE_RETRY_DELAYS_MS: readonly number[] = [30_000, 120_000, 600_000, 3_600_000, 14_400_000];

/** Answers that another attempt may change, although callbacks end with them. */
const PASSING_STATUSES = new Set([408, 429]);

type Tried = Pick<ClaimedMessage, 'attemptsMade' | 'isTest'>;

/** A test is tried once: whoever sent it sees what came of it, and sends another. */
function delaysOf({ isTest }: Tried): readonly number[] {
  return isTest ? [] : NOTICE_RETRY_DELAYS_MS;
}

/** False: the attempt that was the last one is over, and its outcome was lost with its process. */
export function mayBeTried(message: Tried): boolean {
  return message.attemptsMade <= delaysOf(message).length + 1;
}

/** The verdict on a message after an attempt to post it. */
export function judgePost(message: Tried, outcome: AttemptOutcome): DeliveryVerdict {
  const isPassing = outcome.kind === 'answered' && PASSING_STATUSES.has(outcome.status);
  return decide(message.attemptsMade, isPassing ? failed(`http_${outcome.status}`) : outcome, delaysOf(message));
}

/** How a mail server answered. `refused`: it would answer so again. */
export type MailOutcome = { kind: 'sent' } | { kind: 'refused' | 'failed'; reason: string };

/** The verdict on a message after an attempt to mail it. */
export function judgeMail(message: Tried, outcome: MailOutcome): DeliveryVerdict {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'delivered' };
    case 'refused':
      return { state: 'rejected', reason: outcome.reason };
    case 'failed':
      return decide(message.attemptsMade, failed(outcome.reason), delaysOf(message));
  }
}

function failed(reason: string): AttemptOutcome {
  return { kind: 'unanswered', reason };
}
