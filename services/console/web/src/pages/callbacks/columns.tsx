import { Link } from 'react-router';
import type { Task } from '../../api/task.ts';
import { momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { shortId } from '../../parts/id-chip.tsx';
import { DeliveryStatus } from '../../parts/status.tsx';
import { say } from './texts.ts';

export function callbackColumns(): readonly Column<Task>[] {
  return [
    {
      id: 'task',
      header: say('column.task'),
      width: 'minmax(120px, 1fr)',
      cell: ({ id, model }) => (
        <Link to={`/tasks/${id}`}>
          {model} <code>{shortId(id)}</code>
        </Link>
      ),
    },
    {
      id: 'state',
      header: say('column.state'),
      width: '112px',
      cell: ({ callback }) => callback && <DeliveryStatus state={callback.state} />,
    },
    {
      id: 'address',
      header: say('column.address'),
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: ({ callback }) => callback?.url,
    },
    {
      id: 'outcome',
      header: say('column.outcome'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ callback }) => (
        <span className="quiet">{callback?.last_error ?? callback?.refused_because ?? callback?.last_status}</span>
      ),
    },
    {
      id: 'attempts',
      header: say('column.attempts'),
      width: '72px',
      align: 'end',
      wideOnly: true,
      cell: ({ callback }) => <span className="number">{callback?.attempts}</span>,
    },
    momentColumn('created', say('column.created'), ({ created }) => created),
  ];
}
