/**
 * The states of a callback that has ended:
 *
 * - `delivered`: answered 2xx
 * - `rejected`: answered 3xx or 4xx
 * - `exhausted`: every attempt failed
 * - `dropped`: the URL breaks the rules and nothing was sent, or an operator ended it
 */
export const ENDED_DELIVERY_STATES = ['delivered', 'rejected', 'exhausted', 'dropped'] as const;

/** `pending`: it waits for an attempt, or one is under way. */
export const DELIVERY_STATES = ['pending', ...ENDED_DELIVERY_STATES] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Callbacks that one request sends again, at most. */
export const MAX_REDELIVERED = 1000;
