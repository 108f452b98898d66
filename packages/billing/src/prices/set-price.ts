import type { PriceOverride } from '@mediagate/catalog';
import type { ChangeOutcome, ChangeRequest, Database } from '@mediagate/database';
import { PRICE_LEAD_MS } from './follow-prices';
import { toStored } from './price-schedule';

export interface NewPrice {
  billingKey: string;
  /** Null: the file's price counts again. */
  price: PriceOverride | null;
  /** Absent: as soon as every process knows it. */
  effectiveAt?: Date | undefined;
  /** The key's price where no operator says otherwise; null: it has no price of its own. */
  withoutOverride: PriceOverride | null;
}

/**
 * Sets a price from a moment on. What was booked before keeps the price it was booked at. `unchanged`: the moment is not far
 * enough ahead for every process to know of it in time.
 */
export function setPrice(
  database: Database,
  { billingKey, price, effectiveAt = undefined, withoutOverride }: NewPrice,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const wanted = {
    billingKey,
    price: price === null ? null : toStored(price),
    effectiveAt: effectiveAt ?? null,
    leadMs: PRICE_LEAD_MS,
    withoutOverride: withoutOverride && toStored(withoutOverride),
  };
  return database.addPriceOverride(wanted, request);
}
