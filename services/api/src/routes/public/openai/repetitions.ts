import type { KeyedRequest } from '@mediagate/database';
import type { Api } from '../../../api';
import type { Call } from '../../../http/exchange';
import { REPEATABLE_AFTER_END_SECONDS, REPEATABLE_SECONDS } from '../../../request-limits';
import type { Acknowledgement } from '../../../use-cases/submit-task';

/** A repetition is not answered by a task that ended long ago: its caller may have had that answer, and means a request anew. */
export async function forgetEnded({ keyId, key }: KeyedRequest, { database }: Pick<Api, 'database'>): Promise<void> {
  await database.forgetRepetition({ keyId, key, endedForSeconds: REPEATABLE_AFTER_END_SECONDS });
}

/**
 * Lets the task answer repetitions of its request, until its end has been sent whole. Of equal requests the one counts whose caller left
 * last, else the latest. Where the database is away a repetition has a task of its own: the first is booked, and its caller waits for it.
 */
export async function keepForRepetitions(
  { response }: Pick<Call, 'response'>,
  { accepted: { taskId, replayed }, ...request }: KeyedRequest & { accepted: Acknowledgement },
  { database }: Pick<Api, 'database'>,
): Promise<void> {
  const keep = () => database.expectRepetition({ ...request, taskId, seconds: REPEATABLE_SECONDS });
  const forget = () => database.forgetRepetition({ ...request, taskId, endedForSeconds: 0 });
  response.once('close', () => (response.writableFinished ? forget() : keep()).catch(() => undefined));
  if (!replayed) await keep().catch(() => undefined);
}
