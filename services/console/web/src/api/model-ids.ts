import { queryOptions } from '@tanstack/react-query';
import { ask } from './gateway.ts';

const CATALOGUE_MS = 600_000;

/** The ids of all models that there are. */
export const modelIdsQuery = queryOptions({
  queryKey: ['model-ids'],
  queryFn: async ({ signal }) => {
    const { data } = await ask<{ data: { id: string }[] }>('/v1/models', { signal });
    return [...new Set(data.map(({ id }) => id))];
  },
  staleTime: CATALOGUE_MS,
});
