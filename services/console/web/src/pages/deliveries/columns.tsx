import { Button, Checkbox } from '@mantine/core';
import { Eye } from 'lucide-react';
import { Link } from 'react-router';
import { accountColumn, momentColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { shortId } from '../../parts/id-chip.tsx';
import { Due } from '../../parts/moment.tsx';
import { DeliveryStatus } from '../../parts/status.tsx';
import type { Delivery } from './queries.ts';
import { say } from './texts.ts';

interface ColumnOptions {
  onOpen(id: string): void;
  /** Ids of tasks whose callbacks are to be sent again. */
  chosen: readonly string[];
  /** Absent: the reader's role sends nothing again. */
  onChoose: ((chosen: readonly string[]) => void) | undefined;
}

export function deliveryColumns({ onOpen, chosen, onChoose }: ColumnOptions): readonly Column<Delivery>[] {
  const choice = onChoose === undefined ? [] : [choiceColumn(chosen, onChoose)];
  return [
    ...choice,
    {
      id: 'task',
      header: say('column.task'),
      width: 'minmax(0, 1fr)',
      cell: ({ task_id: id }) => (
        <Link to={`/tasks/${id}`}>
          <code title={id}>{shortId(id).replace('task_', '')}</code>
        </Link>
      ),
    },
    { id: 'state', header: say('column.state'), width: '104px', cell: ({ state }) => <DeliveryStatus state={state} /> },
    accountColumn(say('column.account')),
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
      cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Due at={at} />),
    },
    momentColumn('created', say('column.created'), ({ created }) => created),
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

/** Lets callbacks be chosen, but no pending ones, which are sent anyway. */
function choiceColumn(chosen: readonly string[], onChoose: (chosen: readonly string[]) => void): Column<Delivery> {
  return {
    id: 'choice',
    header: '',
    width: '20px',
    cell: ({ task_id: id, state }) => (
      <Checkbox
        size="xs"
        aria-label={say('choose', { id })}
        disabled={state === 'pending'}
        checked={chosen.includes(id)}
        onChange={({ currentTarget }) =>
          onChoose(currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
        }
      />
    ),
  };
}
