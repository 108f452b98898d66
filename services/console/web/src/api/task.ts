import { queryOptions } from '@tanstack/react-query';
import { type Answers, ask } from './gateway.ts';

export type Task = Answers['getTask']['data'];

export function taskQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: async ({ signal }) => {
      const query = { include: 'input,attempts,ledger', language: document.documentElement.lang };
      return (await ask<Answers['getTask']>(`/v1/tasks/${id}`, { query, signal })).data;
    },
  });
}

export function isEnded({ status }: Pick<Task, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}
