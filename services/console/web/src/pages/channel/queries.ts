import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';
import { CHANNELS, type Channel } from '../channels/queries.ts';

export type History = components['schemas']['ChannelHistory'];

const REFRESH_MS = 10_000;
const HISTORY_MS = 60_000;

export function channelQuery(id: string) {
  const path = `/admin/v1/channels/${encodeURIComponent(id)}`;
  return dataQuery<Channel>([CHANNELS, id], path, { refetchInterval: REFRESH_MS });
}

/** @param model empty: of every one. */
export function historyQuery(id: string, { minutes, model }: { minutes: string; model: string }) {
  return dataQuery<History>(
    ['channel-history', id, minutes, model],
    `/admin/v1/channels/${encodeURIComponent(id)}/history`,
    { query: { minutes, model }, refetchInterval: HISTORY_MS },
  );
}
