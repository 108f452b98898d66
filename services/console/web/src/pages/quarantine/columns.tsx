import { Button } from '@mantine/core';
import type { components } from '../../api/generated/api.ts';
import { accountColumn, momentColumn, moneyColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { IdChip } from '../../parts/id-chip.tsx';
import { Status } from '../../parts/status.tsx';
import { TaskName } from '../../parts/task-name.tsx';
import { say } from './texts.ts';

export type Attempt = components['schemas']['QuarantinedAttempt'];

/** @param onResolve absent: the reader's role resolves nothing. */
export function attemptColumns(onResolve: ((attempt: Attempt) => void) | undefined): readonly Column<Attempt>[] {
  return [
    {
      id: 'task',
      header: say('column.task'),
      width: 'minmax(0, 2fr)',
      cell: ({ task_id: id, model, family, test }) => <TaskName task={{ id, model, kind: family, test }} />,
    },
    accountColumn(say('column.account')),
    {
      id: 'channel',
      header: say('column.channel'),
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ channel }) => channel,
    },
    {
      id: 'vendor',
      header: say('column.vendor'),
      width: '150px',
      wideOnly: true,
      cell: ({ external_id, request_ids }) => {
        const id = external_id ?? request_ids.at(-1);
        return id === undefined ? <span className="quiet">{say('vendor.none')}</span> : <IdChip id={id} />;
      },
    },
    {
      id: 'said',
      header: say('column.said'),
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: ({ fault, detail }) => (
        <span className="quiet" title={detail ?? undefined}>
          {[fault, detail].filter((part) => part !== null).join(' · ') || say('said.nothing')}
        </span>
      ),
    },
    moneyColumn('refunded', say('column.refunded'), ({ refunded }) => refunded),
    momentColumn('since', say('column.since'), ({ started_at: at }) => at),
    {
      id: 'actions',
      header: say('column.resolution'),
      width: '116px',
      align: 'end',
      cell: (attempt) => <Resolution attempt={attempt} onResolve={onResolve} />,
    },
  ];
}

interface ResolutionProps {
  attempt: Attempt;
  onResolve: ((attempt: Attempt) => void) | undefined;
}

function Resolution({ attempt, onResolve }: ResolutionProps) {
  const { resolution } = attempt;
  if (resolution !== null) {
    const isPaid = resolution === 'paid';
    return <Status tone={isPaid ? 'warning' : 'good'} text={say(isPaid ? 'state.paid' : 'state.not_paid')} />;
  }
  if (onResolve === undefined) return <Status tone="quiet" text={say('state.open')} />;
  return (
    <Button variant="default" size="compact-xs" onClick={() => onResolve(attempt)}>
      {say('resolve')}
    </Button>
  );
}
