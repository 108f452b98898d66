import { type ChangeOutcome, type ChangeRequest, changeOnce } from '@mediagate/database';
import type { Callbacks } from './callbacks';

/** The reason that the row keeps. */
const CANCELLED = 'cancelled_by_operator';

/** Ends a pending delivery without another request. */
export function cancelDelivery(
  { database }: Pick<Callbacks, 'database'>,
  id: string,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.cancelDelivery(id, CANCELLED, request));
}
