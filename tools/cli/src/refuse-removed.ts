import { BookingsRemovedError } from '@mediagate/billing';
import { Refusal } from './refusal';

/** Refuses a report that needs bookings which are removed: sums of whole days of UTC are left of them. */
export function refuseRemoved(error: unknown): never {
  if (!(error instanceof BookingsRemovedError)) throw error;
  const day = error.keptSince.toISOString().slice(0, 10);
  throw new Refusal(
    `single bookings before ${day} are removed, and their sums are by days of UTC: ask for whole days of it`,
  );
}
