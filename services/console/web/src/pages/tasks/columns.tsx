import { Link } from 'react-router';
import type { Column } from '../../parts/data-table.tsx';
import { shortId } from '../../parts/id-chip.tsx';
import { KindIcon } from '../../parts/kind-icon.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { DeliveryStatus, TaskStatus } from '../../parts/status.tsx';
import classes from './columns.module.css';
import type { Task } from './queries.ts';
import { say } from './texts.ts';

/** What a list of tasks can show; the first column is the way to the task. */
export function taskColumns(): readonly Column<Task>[] {
  return [
    {
      id: 'task',
      header: say('column.task'),
      width: 'minmax(0, 2fr)',
      cell: ({ id, model, kind, test }) => (
        <Link to={`/tasks/${id}`} className={classes.task}>
          <KindIcon kind={kind} />
          <span className={classes.names}>
            <span>{model}</span>
            <code className="quiet">{shortId(id)}</code>
          </span>
          {test && <span className={classes.test}>{say('test')}</span>}
        </Link>
      ),
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
    {
      id: 'cost',
      header: say('column.cost'),
      width: '84px',
      align: 'end',
      wideOnly: true,
      cell: ({ cost, reserved }) => <Money amount={cost || reserved} />,
    },
    {
      id: 'created',
      header: say('column.created'),
      wideOnly: true,
      width: '92px',
      align: 'end',
      cell: ({ created }) => (
        <span className="quiet">
          <Moment at={created} />
        </span>
      ),
    },
  ];
}

/** What stands out: why it failed, how far it is, else what its caller wrote on it. */
function detailOf({ error, status, progress, metadata = {} }: Task): string {
  if (error) return error.message;
  if (status === 'processing') return `${progress} %`;
  return Object.entries(metadata)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('  ');
}
