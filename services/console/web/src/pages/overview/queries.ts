import { queryOptions } from '@tanstack/react-query';
import { askByDays } from '../../api/days.ts';
import { type Answers, ask } from '../../api/gateway.ts';

const REFRESH_MS = 15_000;
const DAYS = 30;
const LISTED = 8;

/** The amounts that the account can spend, has spent and holds for running tasks. */
export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: ({ signal }) => ask<Answers['getAccountBalance']>('/v1/user/balance', { signal }),
  refetchInterval: REFRESH_MS,
});

/** Tasks and charges of the last 30 days by day and family. */
export const recentUsageQuery = queryOptions({
  queryKey: ['usage', 'recent'],
  queryFn: ({ signal }) => askByDays<Answers['getUsage']>('/v1/usage', { days: DAYS, group_by: 'day,family', signal }),
  refetchInterval: REFRESH_MS * 20,
});

export const latestTasksQuery = queryOptions({
  queryKey: ['tasks', 'latest'],
  queryFn: ({ signal }) => ask<Answers['listTasks']>('/v1/tasks', { query: { limit: LISTED }, signal }),
  refetchInterval: REFRESH_MS,
});

/** Tasks that have a callback, the latest first: those that failed to be delivered, and the others. */
export const latestCallbacksQuery = queryOptions({
  queryKey: ['tasks', 'callbacks'],
  queryFn: async ({ signal }) => {
    const pages = await Promise.all(
      (['failed', 'pending', 'delivered'] as const).map((callback) =>
        ask<Answers['listTasks']>('/v1/tasks', { query: { callback, limit: LISTED }, signal }),
      ),
    );
    return pages
      .flatMap(({ data }) => data)
      .sort((one, other) => other.created - one.created)
      .slice(0, LISTED);
  },
  refetchInterval: REFRESH_MS,
});
