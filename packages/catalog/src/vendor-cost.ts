import {
  bookable,
  decimalToNano,
  type JsonObject,
  NANO_PER_UNIT,
  type Nano,
  type Usage,
  type VendorCost,
} from '@mediagate/contracts';
import type { CatalogueEntry, Rates } from './entry';
import type { PriceOverride } from './price-book';
import { PER_TASK } from './rates';

/** The prices of a channel's vendor, in nano-units. */
export interface VendorCharges {
  /** By billing key or model id; a price by units holds all of the model's units. */
  prices: ReadonlyMap<string, PriceOverride>;
  /** The price of one of the vendor's own credits; undefined: the cost that the vendor reports is not counted. */
  creditNano: Nano | undefined;
}

/** The usage and cost of a call. */
export interface Consumed {
  usage: Usage;
  /** The cost that the vendor reports, in its own credits: a plain decimal. */
  credits?: string | undefined;
}

type Priced = Pick<CatalogueEntry, 'id' | 'billing' | 'settle'>;
type Keyed = Pick<CatalogueEntry, 'id' | 'billing'>;

/**
 * The vendor's charge for one input: the one it reports where its credits have a price, else one by its declared prices, which
 * are applied as those of the catalogue are. Undefined: neither is known.
 */
export function vendorCost(
  { entry, input }: { entry: Priced; input: JsonObject },
  { usage, credits }: Consumed,
  charges: VendorCharges | undefined,
): VendorCost | undefined {
  if (charges === undefined) return undefined;
  const reported = reportedCost(credits, charges);
  if (reported !== undefined) return reported;
  const rates = declaredRates(entry, input, charges.prices);
  return rates && { nano: bookable(entry.settle(input, usage, rates)), origin: 'declared' };
}

/** The charge that the vendor reports for a call that made nothing; undefined: it reports none, or its credits have no price. */
export function reportedCost(
  credits: string | undefined,
  charges: Pick<VendorCharges, 'creditNano'> | undefined,
): VendorCost | undefined {
  const nano = priceOfCredits(credits, charges?.creditNano);
  return nano === undefined ? undefined : { nano: bookable(nano), origin: 'reported' };
}

function priceOfCredits(credits: string | undefined, creditNano: Nano | undefined): Nano | undefined {
  const count = credits === undefined ? undefined : decimalToNano(credits);
  if (count === undefined || count < 0n || creditNano === undefined) return undefined;
  return (count * creditNano + NANO_PER_UNIT - 1n) / NANO_PER_UNIT;
}

function declaredRates({ id, billing }: Keyed, input: JsonObject, prices: VendorCharges['prices']): Rates | undefined {
  const key = billing ? billing.keys(input).find((known) => prices.has(known)) : id;
  const price = key === undefined ? undefined : prices.get(key);
  if (key === undefined || price === undefined) return undefined;
  if ('units' in price) return Object.fromEntries(price.units);
  return { [billing ? key : PER_TASK]: price.perTask };
}

/** The most that the vendor can charge for one input, by its declared prices; undefined: nobody has said what these are. */
export function mostVendorCost(
  { entry, input }: { entry: Pick<CatalogueEntry, 'id' | 'billing' | 'reserve'>; input: JsonObject },
  charges: VendorCharges | undefined,
): Nano | undefined {
  const rates = charges && declaredRates(entry, input, charges.prices);
  return rates && bookable(entry.reserve(input, rates));
}
