import { dataQuery } from './data-query.ts';
import type { components } from './generated/api.ts';

export type Account = components['schemas']['Account'];

const FRESH_MS = 60_000;

/** An account as operators see it. */
export function accountQuery(id: string) {
  return dataQuery<Account>(['account', id], `/admin/v1/accounts/${encodeURIComponent(id)}`, { staleTime: FRESH_MS });
}
