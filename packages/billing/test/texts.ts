import { type Finish, type Submission, taskError } from '../src';
import { type Payer, submission } from './books';

/** What each reserves, and what each costs. */
export const RESERVED = 10n;
export const COST = 3n;

export const textOf = (payer: Payer, more: Partial<Submission> = {}): Submission =>
  submission(payer, RESERVED, { family: 'text', kind: 'text', runsHere: { leaseMs: 15_000 }, ...more });

const CALL = { channelId: 'c', protocol: 'p', state: 'succeeded', cost: { nano: 2n, origin: 'declared' } } as const;

export function completedText({ taskId, accountId }: Submission, costNano = COST): Finish {
  const now = performance.now();
  const outcome = { kind: 'completed', costNano, units: { text_output: 7n }, usage: { output_tokens: 7 } } as const;
  return { taskId, accountId, fence: 0, outcome, calls: [{ ...CALL, beganAt: now - 20, endedAt: now - 1 }] };
}

export function failedText({ taskId, accountId }: Submission): Finish {
  const error = taskError('upstream_error');
  return { taskId, accountId, fence: 0, outcome: { kind: 'failed', error }, calls: [] };
}
