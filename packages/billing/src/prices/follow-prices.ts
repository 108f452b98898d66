import type { Database } from '@mediagate/database';
import { PriceSchedule, type Prices } from './price-schedule';

/** A price is known everywhere after so long. */
const PRICES_FOLLOW_MS = 5_000;
/** Before its moment every process has asked twice. */
export const PRICE_LEAD_MS = 2 * PRICES_FOLLOW_MS;

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

/**
 * Keeps a process to the operators' prices: what it returns gives those of the moment. While the database is away the known ones
 * take effect all the same, and nothing can be booked. Resolves after the first look.
 */
export async function followPrices(
  scope: PricesScope,
  { database, everyMs = PRICES_FOLLOW_MS, now = () => performance.now() }: FollowPricesOptions,
): Promise<() => Prices> {
  const schedule = new PriceSchedule();
  let isAway = false;

  async function look(): Promise<void> {
    try {
      const askedAt = now();
      const steps = await database.followPrices();
      // The database read its clock in between.
      schedule.replace(steps, (askedAt + now()) / 2);
      isAway = false;
    } catch (error) {
      if (!isAway) scope.logger.warn('prices.not_followed', { error });
      isAway = true;
    }
  }

  await look();
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, everyMs);
  scope.defer('prices of operators', async () => {
    clearInterval(timer);
    await looking;
  });
  return () => schedule.at(now());
}
