import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp, Layers } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { say as sayFrame } from '../../frame/texts.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FirstCall } from '../../parts/first-call.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TableSkeleton } from '../../parts/table.tsx';
import { taskColumns } from './columns.tsx';
import { followedTasksQuery, isRunning, newestTasksQuery, type Task, type TaskFilters, tasksQuery } from './queries.ts';
import classes from './task-list.module.css';
import { say } from './texts.ts';

/** Nearer to the top than this, new tasks appear by themselves. */
const TOP_PX = 200;

interface TaskListProps {
  filters: TaskFilters;
  hidden: readonly string[];
}

export function TaskList({ filters, hidden }: TaskListProps) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, isError } = useInfiniteQuery(
    tasksQuery(filters),
  );
  const listed = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const { rows, onVisible } = useLive(listed);
  const columns = useMemo(taskColumns, []);
  const onEnd = useCallback(() => {
    // A failed page is asked for again by its reader alone.
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);

  if (error && rows === undefined) return <Failure error={error} retry={refetch} />;
  if (rows === undefined) {
    return (
      <Panel flush>
        <TableSkeleton rows={12} />
      </Panel>
    );
  }
  if (rows.length === 0 && !hasNextPage) return <NoTasks filtered={Object.keys(filters).length > 0} />;
  return (
    <>
      <NewTasks filters={filters} first={rows[0]} />
      <Panel flush>
        <DataTable
          caption={say('title')}
          columns={columns}
          rows={rows}
          rowId={idOf}
          hidden={hidden}
          onEnd={onEnd}
          onVisible={onVisible}
        />
      </Panel>
      {error && <Failure error={error} retry={fetchNextPage} />}
      <p className={classes.count} role="status">
        {sayFrame(hasNextPage ? 'table.loaded' : 'table.end', { count: rows.length })}
      </p>
    </>
  );
}

/** The rows with those on the screen as they are now: running ones are asked for every few seconds, none while the tab is hidden. */
function useLive(listed: readonly Task[] | undefined) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const { data: live } = useQuery(followedTasksQuery(ids));
  const [seen, setSeen] = useState<ReadonlyMap<string, Task>>(new Map());
  useEffect(() => {
    if (live !== undefined) setSeen((before) => new Map([...before, ...live]));
  }, [live]);
  const rows = useMemo(() => {
    if (seen.size === 0) return listed;
    return listed?.map((task) => seen.get(task.id) ?? task);
  }, [listed, seen]);
  const onVisible = useCallback((visible: readonly Task[]) => {
    const running = visible.filter(isRunning).map(idOf);
    setIds((before) => (before.join() === running.join() ? before : running));
  }, []);
  return { rows, onVisible };
}

/** New tasks appear at the top; whoever reads further down is not moved, and asks for them. */
function NewTasks({ filters, first }: { filters: TaskFilters; first: Task | undefined }) {
  const queries = useQueryClient();
  const { data } = useQuery(newestTasksQuery(filters));
  const newer = data?.data.findIndex(({ id }) => id === first?.id) ?? 0;
  const count = newer === -1 ? (data?.data.length ?? 0) : newer;
  const show = useCallback(async () => {
    window.scrollTo({ top: 0 });
    await queries.resetQueries({ queryKey: tasksQuery(filters).queryKey, exact: true });
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
    <Panel>
      <Empty icon={Layers} title={say(filtered ? 'none.filtered' : 'none')}>
        {!filtered && <FirstCall />}
      </Empty>
    </Panel>
  );
}

function idOf({ id }: Task): string {
  return id;
}
