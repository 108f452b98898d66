import type { Database, PriceStep } from '@mediagate/database';
import { DatedSteps, keepLooking } from '@mediagate/host';
import { fingerprintOf, foldPrices, type Prices } from './price-schedule';

/** The time between two looks of a process. */
const PRICES_FOLLOW_MS = 2_000;
/** A price is set at least so long before it takes effect. */
export const PRICE_LEAD_MS = 10_000;
/** No price that is set after a look has begun takes effect sooner: `refuse_late_price` of the database sees to it. */
export const PRICES_KNOWN_MS = 7_000;

export interface PricesScope {
  logger: { warn(event: 'prices.not_followed', fields: { error: unknown }): void };
  defer(name: string, close: () => Promise<void> | void): void;
}

export interface FollowPricesOptions {
  database: Pick<Database, 'followPrices'>;
  everyMs?: number | undefined;
  /** In milliseconds, never set back. */
  now?: (() => number) | undefined;
}

/** The operators' prices, as one process knows them. */
export interface FollowedPrices {
  /** The prices in effect now: the same map until they change. */
  current(): Prices;
  /** False: other prices may be in effect, because the last look is too long ago, or none succeeded. Nothing may be booked then. */
  areKnown(): boolean;
}

/**
 * Keeps a process to the operators' prices. While the database is away the known ones take effect all the same, for as long as no
 * others can. Resolves after the first look.
 */
export async function followPrices(
  scope: PricesScope,
  { database, everyMs = PRICES_FOLLOW_MS, now = () => performance.now() }: FollowPricesOptions,
): Promise<FollowedPrices> {
  const prices = new DatedSteps<PriceStep, Prices>(foldPrices, fingerprintOf);
  let knownUntilMs = Number.NEGATIVE_INFINITY;
  await keepLooking(scope, {
    name: 'prices of operators',
    everyMs,
    async look() {
      const beganAt = now();
      const steps = await database.followPrices();
      // The database read its clock in between.
      prices.replace(steps, (beganAt + now()) / 2);
      knownUntilMs = beganAt + PRICES_KNOWN_MS;
    },
    onAway: (error) => scope.logger.warn('prices.not_followed', { error }),
  });
  return { current: () => prices.at(now()), areKnown: () => now() < knownUntilMs };
}
