import type { CancelOutcome, Json } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import type { HttpClient } from '../http-client';
import { unanswered } from '../job';
import { stopped } from '../job-exchange';
import { refused, unreadable, type VendorReply } from '../vendor-call';
import { ask, askAbout, type HttpJob, stateOf } from './check';
import { descriptionOf, type State } from './description';
import { stateWord } from './errors';

/**
 * Stops a job that is in one of the states of `cancel.while`. A vendor may begin it before the cancellation arrives, and
 * acknowledge that all the same: only the job's state after it decides. What a vendor charges for a job that it stopped so is not known.
 */
export async function cancelJob(http: HttpClient, job: HttpJob, context: CallContext): Promise<CancelOutcome> {
  const { cancel } = descriptionOf(context.endpoint);
  if (cancel === undefined) return { kind: 'too_late' };
  const { path, method = 'POST', while: stoppable = ['submitted'] } = cancel;
  const before = await askAbout(http, job, context);
  if (!before.ok) return unanswered(before);
  const state = stateIn(before, context);
  if (state === 'cancelled') return stopped(before);
  if (!stoppable.some((word) => word === state)) return { kind: 'too_late' };
  const reply = await ask(http, path, { job, context, method });
  if (!reply.ok) return reply.fault.code === 'bad_request' ? { kind: 'too_late' } : unanswered(reply);
  const after = await askAbout(http, job, context);
  if (!after.ok) return unanswered(after);
  const ending = stateIn(after, context);
  if (ending === 'cancelled') return stopped(after);
  if (ending !== state) return { kind: 'too_late' };
  return refused(unreadable('a cancellation that is not done yet'), [after.requestId]);
}

function stateIn({ body }: Extract<VendorReply, { ok: true }>, { endpoint }: CallContext): State | undefined {
  const description = descriptionOf(endpoint);
  const word = stateWord(body as Json, description);
  return word === undefined ? undefined : stateOf(word, description);
}
