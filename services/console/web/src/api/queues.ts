import { queryOptions } from '@tanstack/react-query';
import { ask } from './gateway.ts';
import type { components } from './generated/api.ts';

export type Queues = components['schemas']['Queues'];

const REFRESH_MS = 5_000;

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: async ({ signal }) => (await ask<{ data: Queues }>('/admin/v1/queues', { signal })).data,
  refetchInterval: REFRESH_MS,
});
