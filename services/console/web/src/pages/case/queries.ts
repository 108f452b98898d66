import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';
import { isEnded } from '../../api/task.ts';

export type Case = components['schemas']['TaskHistory'];

const FOLLOW_MS = 5_000;

/** All that is known of a task; again while it runs or its callback is under way. */
export function caseQuery(id: string) {
  return queryOptions({
    queryKey: ['case', id],
    queryFn: async ({ signal }) => (await ask<{ data: Case }>(`/admin/v1/tasks/${id}`, { signal })).data,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? FOLLOW_MS : false),
  });
}

function isUnderWay(task: Case): boolean {
  return !isEnded(task) || task.delivery?.state === 'pending';
}
