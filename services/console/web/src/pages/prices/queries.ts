import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';

export type Price = components['schemas']['Price'];
export type PriceOverride = components['schemas']['PriceOverride'];

/** Root of all queries of prices. */
export const PRICES = 'prices';

export const pricesQuery = dataQuery<Price[]>([PRICES, 'now'], '/admin/v1/prices');

/** The unit of a price for whole tasks; all other prices are for one unit. */
export const PER_TASK = 'per_task';
