import { queryOptions } from '@tanstack/react-query';
import { askByDays } from '../../api/days.ts';
import type { Answers } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';

export type ApiKey = components['schemas']['ApiKey'];

/** All lists of keys are asked for again after a change. */
export const KEYS = ['keys'];

const DAYS = 30;

/** The amount that each key has spent in the last days, by the key's id. */
export const spentQuery = queryOptions({
  queryKey: ['usage', 'keys'],
  queryFn: async ({ signal }) => {
    const { data } = await askByDays<Answers['getUsage']>('/v1/usage', { days: DAYS, group_by: 'key', signal });
    return new Map(data.map((group) => [group['key'], group.charged]));
  },
});
