import { Link } from 'react-router';
import { costColumn, momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { shortId } from '../../parts/id-chip.tsx';
import { DeliveryStatus, TaskStatus } from '../../parts/status.tsx';
import { TaskName } from '../../parts/task-name.tsx';
import type { Task } from './queries.ts';
import { say } from './texts.ts';

/** The columns that a list of tasks can show; the first one leads to the task. */
export function taskColumns(): readonly Column<Task>[] {
  return [
    {
      id: 'task',
      header: say('column.task'),
      width: 'minmax(0, 2fr)',
      cell: (task) => <TaskName task={task} />,
    },
    {
      id: 'status',
      header: say('column.status'),
      width: '112px',
      cell: ({ status, error }) => <TaskStatus status={status} reason={error?.reason} />,
    },
    {
      id: 'detail',
      header: say('column.detail'),
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: (task) => <span className="quiet">{detailOf(task)}</span>,
    },
    {
      id: 'callback',
      header: say('column.callback'),
      width: '112px',
      wideOnly: true,
      cell: ({ callback }) => callback && <DeliveryStatus state={callback.state} />,
    },
    {
      id: 'parent',
      header: say('column.parent'),
      width: '130px',
      wideOnly: true,
      cell: ({ parent_task_id: parent }) => parent && <Link to={`/tasks/${parent}`}>{shortId(parent)}</Link>,
    },
    {
      id: 'seconds',
      header: say('column.seconds'),
      width: '72px',
      align: 'end',
      wideOnly: true,
      cell: ({ actual_time: seconds }) => seconds !== undefined && <span className="number">{seconds} s</span>,
    },
    costColumn(),
    momentColumn('created', say('column.created'), ({ created }) => created),
  ];
}

/** The detail that stands out: why the task failed, how far it is, else the metadata that its caller wrote on it. */
function detailOf({ error, status, progress, metadata = {} }: Task): string {
  if (error) return error.message;
  if (status === 'processing') return `${progress} %`;
  return Object.entries(metadata)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('  ');
}
