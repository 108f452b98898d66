/**
 * - `pending`: waits for an attempt, or one is under way
 * - `delivered`: answered 2xx
 * - `rejected`: answered 3xx or 4xx
 * - `exhausted`: every attempt failed
 * - `dropped`: the URL breaks the rules and nothing was sent, or an operator ended it
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'rejected', 'exhausted', 'dropped'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const ENDED_STATES = ['delivered', 'rejected', 'exhausted', 'dropped'] as const satisfies DeliveryState[];

export type EndedState = (typeof ENDED_STATES)[number];
