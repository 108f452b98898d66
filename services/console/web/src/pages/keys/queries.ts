import { queryOptions } from '@tanstack/react-query';
import { type Answers, ask, change } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';

export type ApiKey = components['schemas']['ApiKey'];

/** All lists of keys are asked for again after a change. */
export const KEYS = ['keys'];

const DAYS = 30;
const DAY_MS = 86_400_000;

/** The amount that each key has spent in the last days, by the key's id. */
export const spentQuery = queryOptions({
  queryKey: ['usage', 'keys'],
  queryFn: async ({ signal }) => {
    const from = new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const query = { from, group_by: 'key' };
    const { data } = await ask<Answers['getUsage']>('/v1/usage', { query, signal });
    return new Map(data.map((group) => [group['key'], group.charged]));
  },
});

export async function revokeKey(id: string): Promise<void> {
  await change('DELETE', `/v1/keys/${id}`);
}
