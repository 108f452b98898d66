import type { components } from '../../api/generated/api.ts';

export type Delivery = components['schemas']['OperatorDelivery'];

/** Root of the queries that list callbacks. */
export const DELIVERIES = 'deliveries';

export const STATES = ['exhausted', 'rejected', 'dropped', 'pending', 'delivered'] as const;
