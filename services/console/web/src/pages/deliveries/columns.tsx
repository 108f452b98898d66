import { Button } from '@mantine/core';
import { Eye } from 'lucide-react';
import { Link } from 'react-router';
import { AccountLink } from '../../parts/account-link.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { shortId } from '../../parts/id-chip.tsx';
import { Moment } from '../../parts/moment.tsx';
import { DeliveryStatus } from '../../parts/status.tsx';
import type { Delivery } from './queries.ts';
import { say } from './texts.ts';

export function deliveryColumns(onOpen: (id: string) => void): readonly Column<Delivery>[] {
  return [
    {
      id: 'task',
      header: say('column.task'),
      width: 'minmax(0, 1fr)',
      cell: ({ task_id: id }) => (
        <Link to={`/tasks/${id}`}>
          <code>{shortId(id)}</code>
        </Link>
      ),
    },
    { id: 'state', header: say('column.state'), width: '104px', cell: ({ state }) => <DeliveryStatus state={state} /> },
    {
      id: 'account',
      header: say('column.account'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ account_id: id }) => <AccountLink id={id} />,
    },
    {
      id: 'address',
      header: say('column.address'),
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: ({ url }) => <span title={url}>{url}</span>,
    },
    {
      id: 'outcome',
      header: say('column.outcome'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ reason, attempts }) => (
        <span className="quiet">{reason ?? attempts.at(-1)?.error ?? attempts.at(-1)?.status}</span>
      ),
    },
    {
      id: 'next',
      header: say('column.next'),
      width: '88px',
      align: 'end',
      wideOnly: true,
      cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Moment at={at} />),
    },
    {
      id: 'created',
      header: say('column.created'),
      width: '88px',
      align: 'end',
      wideOnly: true,
      cell: ({ created }) => <Moment at={created} />,
    },
    {
      id: 'attempts',
      header: say('column.attempts'),
      width: '64px',
      align: 'end',
      cell: ({ id, attempts }) => (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Eye size={12} />}
          aria-label={say('attempts.of', { id })}
          onClick={() => onOpen(id)}
        >
          {attempts.length}
        </Button>
      ),
    },
  ];
}
