import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';

export type Price = components['schemas']['Price'];
export type PriceOverride = components['schemas']['PriceOverride'];

/** Root of all queries of prices. */
export const PRICES = 'prices';

export const pricesQuery = queryOptions({
  queryKey: [PRICES, 'now'],
  queryFn: async ({ signal }) => (await ask<{ data: Price[] }>('/admin/v1/prices', { signal })).data,
});

/** The unit of a price for whole tasks; all other prices are for one unit. */
export const PER_TASK = 'per_task';
