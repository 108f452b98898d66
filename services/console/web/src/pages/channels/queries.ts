import { queryOptions } from '@tanstack/react-query';
import { ask, change } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';

export type Channel = components['schemas']['Channel'];

const REFRESH_MS = 10_000;

export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: async ({ signal }) => (await ask<{ data: Channel[] }>('/admin/v1/channels', { signal })).data,
  refetchInterval: REFRESH_MS,
});

/** Drain: it takes no more tasks. Disable: those that it has are only checked to their end. Reset: the file decides again. */
export type Steering = 'drain' | 'disable' | 'reset';

export function steer(id: string, steering: Steering): Promise<unknown> {
  return change('POST', `/admin/v1/channels/${encodeURIComponent(id)}/${steering}`, {});
}
