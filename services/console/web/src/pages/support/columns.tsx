import { Link } from 'react-router';
import type { components } from '../../api/generated/api.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
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
    {
      id: 'account',
      header: say('column.account'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ account_id: id }) => <AccountLink id={id} />,
    },
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
      width: '84px',
      align: 'end',
      wideOnly: true,
      cell: ({ created }) => (
        <span className="quiet">
          <Moment at={created} />
        </span>
      ),
    },
  ];
}
