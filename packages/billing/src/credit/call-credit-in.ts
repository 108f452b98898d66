import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@mediagate/database';
import type { Submission, SubmitOutcome } from '../submission';

const PAUSE_MS = 50;
/** Of one process; whoever comes beyond them is refused at once. */
const MAX_WAITING = 256;

type Submit = (submission: Submission) => Promise<SubmitOutcome>;
type CallIn = Pick<Database, 'callCreditIn'>;

/**
 * Nobody is refused because of money that a process has taken in advance and not used: it is called in, and waited for. What a process that
 * died has taken is given back when it lapses, and counts as held until then.
 */
export function submitOnceCreditIsIn(database: CallIn, { submit, waitMs }: { submit: Submit; waitMs: number }): Submit {
  const callIn = createCallIn(database);
  let waiting = 0;

  async function submitAgain(submission: Submission, refusal: SubmitOutcome): Promise<SubmitOutcome> {
    const until = performance.now() + waitMs;
    let outcome = refusal;
    while (outcome.kind === 'insufficient') {
      const found = await callIn(submission);
      const isCovered = found !== undefined && found.availableNano >= submission.reservedNano;
      // Without credit the refusal stands, unless the last of it came back since.
      if (!found || (found.creditNano === 0n && !isCovered) || performance.now() > until) break;
      if (!isCovered) await delay(PAUSE_MS);
      outcome = await submit(submission);
    }
    return outcome;
  }

  return async (submission) => {
    const outcome = await submit(submission);
    if (outcome.kind !== 'insufficient' || waiting >= MAX_WAITING) return outcome;
    waiting += 1;
    try {
      return await submitAgain(submission, outcome);
    } finally {
      waiting -= 1;
    }
  };
}

type Found = Awaited<ReturnType<CallIn['callCreditIn']>>[number] | undefined;

/** Those of one key ask together. */
function createCallIn(database: CallIn): (place: { accountId: string; keyId: string }) => Promise<Found> {
  const asked = new Map<string, Promise<Found>>();
  return ({ accountId, keyId }) => {
    const known = asked.get(keyId);
    if (known !== undefined) return known;
    const asking = database
      .callCreditIn({ accountId, keyId })
      .then(([row]) => row)
      .finally(() => asked.delete(keyId));
    asked.set(keyId, asking);
    return asking;
  };
}
