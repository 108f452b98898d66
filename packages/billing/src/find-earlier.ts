import { createBatcher, type Database, type EarlierRow, type KeyedRequest } from '@mediagate/database';
import { readWarning, type SubmitOutcome } from './submission';

export type EarlierSubmission = Extract<SubmitOutcome, { kind: 'replayed' | 'conflict' }>;

const MAX_TOGETHER = 256;
const MAX_WAITING = 5000;

/**
 * Looks up what the same key was used for before, within its 24 hours, which spares the work of a repetition. Undefined is no promise,
 * because the same request may be on its way; the submission itself decides. Simultaneous look-ups share a statement.
 *
 * @throws DatabaseUnavailableError also when too many wait.
 */
export function createEarlierFinder(
  database: Pick<Database, 'findEarlierSubmissions'>,
): (request: KeyedRequest) => Promise<EarlierSubmission | undefined> {
  return createBatcher({
    maxItems: MAX_TOGETHER,
    maxWaiting: MAX_WAITING,
    run: async (requests: KeyedRequest[]) => (await database.findEarlierSubmissions(requests)).map(toEarlier),
  });
}

function toEarlier({ taskId, sameRequest, warnings }: EarlierRow): EarlierSubmission | undefined {
  if (taskId === null) return undefined;
  return sameRequest ? { kind: 'replayed', taskId, warnings: (warnings ?? []).map(readWarning) } : { kind: 'conflict' };
}
