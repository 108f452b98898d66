import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { gatewayPath } from '../api/gateway.ts';
import { isEnded, type Task, taskQuery } from '../api/task.ts';

type Connection = 'live' | 'lost' | 'ended';

/**
 * Follows a task until it ends: each state is shown as it comes. A broken connection is opened again by the browser, which sends
 * the last state's id; a hidden tab follows nothing.
 */
export function useEvents(task: Task | undefined): Connection {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('live');
  const isVisible = useVisible();
  const id = task?.id;
  const follows = task !== undefined && !isEnded(task) && isVisible;
  useEffect(() => {
    if (id === undefined || !follows) return;
    const source = new EventSource(gatewayPath(`/v1/tasks/${id}/events`));
    source.onopen = () => setConnection('live');
    source.onerror = () => setConnection('lost');
    source.addEventListener('task', ({ data }: MessageEvent<string>) => {
      setConnection('live');
      const seen = JSON.parse(data) as Task;
      const { queryKey } = taskQuery(id);
      queries.setQueryData(queryKey, (before) => before && { ...before, ...seen });
      // Attempts, money and callbacks are not in the events.
      void queries.invalidateQueries({ queryKey });
      if (isEnded(seen)) void queries.invalidateQueries({ queryKey: ['tasks', 'deliveries', id] });
    });
    return () => source.close();
  }, [id, follows, queries]);
  return task !== undefined && isEnded(task) ? 'ended' : connection;
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const change = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', change);
    return () => document.removeEventListener('visibilitychange', change);
  }, []);
  return isVisible;
}
