import { queryOptions } from '@tanstack/react-query';
import { ask } from './gateway.ts';
import type { components } from './generated/api.ts';

export type Account = components['schemas']['Account'];

const FRESH_MS = 60_000;

/** An account as operators see it. */
export function accountQuery(id: string) {
  return queryOptions({
    queryKey: ['account', id],
    queryFn: async () => (await ask<{ data: Account }>(`/admin/v1/accounts/${encodeURIComponent(id)}`)).data,
    staleTime: FRESH_MS,
  });
}
