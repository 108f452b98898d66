import { Link } from 'react-router';
import type { components } from '../../api/generated/api.ts';
import { accountColumn, costColumn, momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { TaskStatus } from '../../parts/status.tsx';
import { TaskName } from '../../parts/task-name.tsx';
import { say } from './texts.ts';

export type FoundTask = components['schemas']['FoundTask'];

/** The first column is the way to the case. */
export function foundColumns(): readonly Column<FoundTask>[] {
  return [
    { id: 'task', header: say('column.task'), width: 'minmax(0, 2fr)', cell: (task) => <TaskName task={task} /> },
    {
      id: 'status',
      header: say('column.status'),
      width: '112px',
      cell: ({ status, error }) => <TaskStatus status={status} reason={error?.reason} />,
    },
    accountColumn(say('column.account')),
    {
      id: 'key',
      header: say('column.key'),
      width: '116px',
      wideOnly: true,
      cell: ({ account_id: account, key_id: id }) => (
        <Link to={`/accounts/${account}?tab=keys&key=${id}`}>
          <code>{id}</code>
        </Link>
      ),
    },
    {
      id: 'detail',
      header: say('column.detail'),
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: ({ error, request_id: request }) => <span className="quiet">{error?.message ?? request}</span>,
    },
    costColumn(),
    momentColumn('created', say('column.created'), ({ created }) => created),
  ];
}
