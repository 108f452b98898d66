import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';
import { CHANNELS, type Channel } from '../channels/queries.ts';

export type History = components['schemas']['ChannelHistory'];

const REFRESH_MS = 10_000;
const HISTORY_MS = 60_000;

export function channelQuery(id: string) {
  return queryOptions({
    queryKey: [CHANNELS, id],
    queryFn: async ({ signal }) =>
      (await ask<{ data: Channel }>(`/admin/v1/channels/${encodeURIComponent(id)}`, { signal })).data,
    refetchInterval: REFRESH_MS,
  });
}

/** @param model empty: of every one. */
export function historyQuery(id: string, { minutes, model }: { minutes: string; model: string }) {
  return queryOptions({
    queryKey: ['channel-history', id, minutes, model],
    queryFn: async ({ signal }) =>
      (
        await ask<{ data: History }>(`/admin/v1/channels/${encodeURIComponent(id)}/history`, {
          query: { minutes, model },
          signal,
        })
      ).data,
    refetchInterval: HISTORY_MS,
  });
}
