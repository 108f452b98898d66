import { queryOptions } from '@tanstack/react-query';
import { type Answers, ask } from '../../api/gateway.ts';

export type Task = Answers['getTask']['data'];
export type Result = NonNullable<Task['result']>;
export type Delivery = Answers['listDeliveries']['data'][number];

const DELIVERIES_MS = 5_000;

export function taskQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: async ({ signal }) => {
      const query = { include: 'input,attempts,ledger', language: document.documentElement.lang };
      return (await ask<Answers['getTask']>(`/v1/tasks/${id}`, { query, signal })).data;
    },
  });
}

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

export function isEnded({ status }: Pick<Task, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

function isUnderWay({ state }: Delivery): boolean {
  return state === 'pending' || state === 'sending';
}
