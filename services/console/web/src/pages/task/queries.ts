import { dataQuery } from '../../api/data-query.ts';
import type { Answers } from '../../api/gateway.ts';

export type Delivery = Answers['listDeliveries']['data'][number];

const DELIVERIES_MS = 5_000;

export function deliveriesQuery(id: string) {
  return dataQuery<Delivery[]>(['tasks', 'deliveries', id], `/v1/tasks/${id}/deliveries`, {
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? DELIVERIES_MS : false),
  });
}

export function lineageQuery(id: string) {
  return dataQuery<Answers['getLineage']['data']>(['tasks', 'lineage', id], `/v1/tasks/${id}/lineage`);
}

function isUnderWay({ state }: Delivery): boolean {
  return state === 'pending' || state === 'sending';
}
