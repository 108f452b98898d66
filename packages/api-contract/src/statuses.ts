import type { Operation } from './operation';

/** Any request can get these: it cannot be read at all, the service failed, or the service cannot take work. */
const ANY_REQUEST = [400, 500, 503];
const ANY_KEY = [401];
/** 404: where operators have a port of their own, no other port has these paths. */
const ANY_OPERATOR = [401, 403, 404];
/** A caller who is refused too often is turned away, with a key or without one. */
const ANY_REFUSAL = [429];
const ANY_BODY = [408, 413, 415];

function mayWait(operation: Operation): boolean {
  return operation.auth !== 'none' || operation.refusals !== undefined || operation.perAddress === true;
}

/** Statuses of all errors that the operation can answer, in order. */
export function errorStatusesOf(operation: Operation): number[] {
  const statuses = new Set<number>([...ANY_REQUEST, ...(operation.refusals ?? [])]);
  if (operation.auth === 'key') for (const status of ANY_KEY) statuses.add(status);
  if (operation.auth === 'operator') for (const status of ANY_OPERATOR) statuses.add(status);
  if (operation.auth === 'key' && (operation.manages || operation.scope === 'account')) statuses.add(403);
  if (mayWait(operation)) for (const status of ANY_REFUSAL) statuses.add(status);
  if (operation.body) for (const status of ANY_BODY) statuses.add(status);
  return [...statuses].sort((a, b) => a - b);
}
