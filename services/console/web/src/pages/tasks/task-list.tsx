import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp, Layers } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { Empty } from '../../parts/empty.tsx';
import { FirstCall } from '../../parts/first-call.tsx';
import { Listing } from '../../parts/listing.tsx';
import type { Filters } from '../../parts/task-search.ts';
import { taskColumns } from './columns.tsx';
import { followedTasksQuery, LIST, mayChange, newestTasksQuery, type Task } from './queries.ts';
import classes from './task-list.module.css';
import { say } from './texts.ts';

/** Nearer to the top than this, new tasks appear by themselves. */
const TOP_PX = 200;

interface TaskListProps {
  filters: Filters;
  hidden: readonly string[];
}

export function TaskList({ filters, hidden }: TaskListProps) {
  // Pages are not fetched again: states come by `followedTasksQuery`, new tasks by `newestTasksQuery`.
  const list = useCursorList<Task>(LIST, '/v1/tasks', filters, { staleTime: Number.POSITIVE_INFINITY });
  const onVisible = useFollowed(filters);
  const [first] = list.rows ?? [];
  const columns = useMemo(taskColumns, []);
  return (
    <>
      {first && <NewTasks filters={filters} first={first} />}
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        hidden={hidden}
        onVisible={onVisible}
        empty={<NoTasks filtered={Object.keys(filters).length > 0} />}
      />
    </>
  );
}

/** Returns what takes the rows on the screen: those that may change are asked for every few seconds, none while the tab is hidden. */
function useFollowed(filters: Filters): (visible: readonly Task[]) => void {
  const [ids, setIds] = useState<readonly string[]>([]);
  useQuery(followedTasksQuery(filters, ids));
  return useCallback((visible) => {
    const changing = visible.filter(mayChange).map(idOf);
    setIds((before) => (before.join() === changing.join() ? before : changing));
  }, []);
}

/** New tasks appear at the top; whoever reads further down is not moved, and asks for them. */
function NewTasks({ filters, first }: { filters: Filters; first: Task }) {
  const queries = useQueryClient();
  const { data } = useQuery(newestTasksQuery(filters));
  const newer = data?.data.findIndex(({ id }) => id === first.id) ?? 0;
  const count = newer === -1 ? (data?.data.length ?? 0) : newer;
  const show = useCallback(async () => {
    window.scrollTo({ top: 0 });
    await queries.resetQueries({ queryKey: [...LIST, filters], exact: true });
  }, [queries, filters]);
  useEffect(() => {
    if (count > 0 && window.scrollY < TOP_PX) void show();
  }, [count, show]);
  if (count === 0) return null;
  return (
    <Button className={classes.newer ?? ''} leftSection={<ArrowUp size={14} />} radius="xl" onClick={() => void show()}>
      {say('newer')}
    </Button>
  );
}

function NoTasks({ filtered }: { filtered: boolean }) {
  return (
    <Empty icon={Layers} title={say(filtered ? 'none.filtered' : 'none')}>
      {!filtered && <FirstCall />}
    </Empty>
  );
}

function idOf({ id }: Task): string {
  return id;
}
