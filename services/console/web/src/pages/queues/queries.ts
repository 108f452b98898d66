import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';

export type Queues = components['schemas']['Queues'];

const REFRESH_MS = 10_000;

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: async () => (await ask<{ data: Queues }>('/admin/v1/queues')).data,
  refetchInterval: REFRESH_MS,
});
