import { queryOptions } from '@tanstack/react-query';
import { type Answers, ask, change } from '../../api/gateway.ts';

export type Task = Answers['listTasks']['data'][number];
export type TaskFilters = Readonly<Record<string, string>>;

const NEWEST_ROWS = 20;
const NEWEST_MS = 5_000;
const POLL_MS = 3_000;
/** As many as the API reads at once. */
const MAX_POLLED = 100;

export function newestTasksQuery(filters: TaskFilters) {
  return queryOptions({
    queryKey: ['tasks', 'newest', filters],
    queryFn: ({ signal }) =>
      ask<Answers['listTasks']>('/v1/tasks', { query: { ...filters, limit: NEWEST_ROWS }, signal }),
    refetchInterval: NEWEST_MS,
  });
}

/** The tasks on the screen that have not ended, as they are now. */
export function followedTasksQuery(ids: readonly string[]) {
  const polled = ids.slice(0, MAX_POLLED);
  return queryOptions({
    queryKey: ['tasks', 'followed', polled],
    queryFn: async () => {
      const { data } = await change<Answers['getTasks']>('POST', '/v1/tasks/batch', { task_ids: polled });
      // A task that has gone since keeps the row that it had.
      const found = data.filter((task) => task.status !== 'not_found');
      return new Map(found.map((task) => [task.id, task as Task]));
    },
    enabled: polled.length > 0,
    refetchInterval: POLL_MS,
    placeholderData: (before) => before,
  });
}

export function isRunning({ status }: Task): boolean {
  return status !== 'completed' && status !== 'failed';
}
