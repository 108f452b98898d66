import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';
import { isEnded } from '../../api/task.ts';

export type Case = components['schemas']['TaskHistory'];

const FOLLOW_MS = 5_000;

/** All that is known of a task; again while it runs or its callback is under way. */
export function caseQuery(id: string) {
  return dataQuery<Case>(['case', id], `/admin/v1/tasks/${id}`, {
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? FOLLOW_MS : false),
  });
}

function isUnderWay(task: Case): boolean {
  return !isEnded(task) || task.delivery?.state === 'pending';
}
