import { BookingsRemovedError, type Invoice, type Month, readInvoice } from '@mediagate/billing';
import { type Database, isStatementTimeout } from '@mediagate/database';
import { invalid } from './invalid';
import { bookingsRemoved, type InTurn } from './usage-report';

/**
 * Sums up what was booked on an account in a month. Tasks of the days that a zone's midnights cut are read one by one, back to the oldest
 * submission of what ended on them: such an invoice takes the turn of a report.
 *
 * @throws GatewayError `invalid_request` when these are more than one invoice sums up in time, or are removed, `rate_limited` when its turn did not come in time.
 */
export function makeInvoice(database: Database, accountId: string, month: Month, inTurn: InTurn): Promise<Invoice> {
  const read = () => readInvoice(database, accountId, month);
  return month.timezone === undefined ? read() : inTurn(() => read().catch(refuseZone));
}

function refuseZone(error: unknown): never {
  if (error instanceof BookingsRemovedError) throw bookingsRemoved('timezone', error);
  if (!isStatementTimeout(error)) throw error;
  throw invalid('timezone', 'invoice_too_long');
}
