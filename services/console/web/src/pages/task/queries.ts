import { queryOptions } from '@tanstack/react-query';
import { type Answers, ask } from '../../api/gateway.ts';

export type Delivery = Answers['listDeliveries']['data'][number];

const DELIVERIES_MS = 5_000;

export function deliveriesQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'deliveries', id],
    queryFn: async ({ signal }) =>
      (await ask<Answers['listDeliveries']>(`/v1/tasks/${id}/deliveries`, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? DELIVERIES_MS : false),
  });
}

export function lineageQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'lineage', id],
    queryFn: async ({ signal }) => (await ask<Answers['getLineage']>(`/v1/tasks/${id}/lineage`, { signal })).data,
  });
}

function isUnderWay({ state }: Delivery): boolean {
  return state === 'pending' || state === 'sending';
}
