import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import { type Answers, ask, change } from '../../api/gateway.ts';
import type { Filters } from '../../parts/task-search.ts';

export type Task = Answers['listTasks']['data'][number];

/** All lists of tasks; the key of each ends with its filters. */
export const LIST = ['tasks', 'list'];

const NEWEST_ROWS = 20;
const NEWEST_MS = 5_000;
const POLL_MS = 3_000;
/** As many as the API reads at once. */
const MAX_POLLED = 100;

export function newestTasksQuery(filters: Filters) {
  return queryOptions({
    queryKey: ['tasks', 'newest', filters],
    queryFn: ({ signal }) =>
      ask<Answers['listTasks']>('/v1/tasks', { query: { ...filters, limit: NEWEST_ROWS }, signal }),
    refetchInterval: NEWEST_MS,
  });
}

/** Asks how tasks of a list are now, and puts the answer in the list's place for them. */
export function followedTasksQuery(filters: Filters, ids: readonly string[]) {
  const polled = ids.slice(0, MAX_POLLED);
  return queryOptions({
    queryKey: ['tasks', 'followed', filters, polled],
    queryFn: async ({ client }) => {
      const { data } = await change<Answers['getTasks']>('POST', '/v1/tasks/batch', { task_ids: polled });
      // A task that has gone since keeps the row that it had.
      const found = new Map(data.flatMap((task) => (task.status === 'not_found' ? [] : [[task.id, task as Task]])));
      const now = (task: Task) => found.get(task.id) ?? task;
      const key = [...LIST, filters];
      // A list that is written takes a page that is being asked for, or that failed, for one that came.
      const { status, fetchStatus } = client.getQueryState(key) ?? {};
      if (status === 'success' && fetchStatus === 'idle') {
        client.setQueryData<InfiniteData<{ data: Task[] }>>(
          key,
          (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.map(now) })) },
        );
      }
      return found.size;
    },
    enabled: polled.length > 0,
    refetchInterval: POLL_MS,
  });
}

/** A callback goes on after its task has ended. */
export function mayChange({ status, callback }: Task): boolean {
  return (status !== 'completed' && status !== 'failed') || callback?.state === 'pending';
}
