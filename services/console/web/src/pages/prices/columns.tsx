import { ActionIcon } from '@mantine/core';
import { History, Pencil } from 'lucide-react';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Status } from '../../parts/status.tsx';
import classes from './columns.module.css';
import { PER_TASK, type Price } from './queries.ts';
import { say } from './texts.ts';

export type PriceAction = 'change' | 'history';

interface ColumnOptions {
  bills: boolean;
  onChoose(action: PriceAction, key: string): void;
}

const TONES = { override: 'warning', file: 'busy', catalogue: 'quiet' } as const;

export function priceColumns({ bills, onChoose }: ColumnOptions): readonly Column<Price>[] {
  return [
    {
      id: 'key',
      header: say('column.key'),
      width: 'minmax(0, 2fr)',
      cell: ({ key, unit }) => (
        <span className={classes.names}>
          <code title={key}>{key}</code>
          <span className="quiet">{unit === PER_TASK ? say('unit.task') : unit}</span>
        </span>
      ),
    },
    {
      id: 'price',
      header: say('column.price'),
      width: '76px',
      align: 'end',
      cell: ({ price }) => <Money amount={price} />,
    },
    {
      id: 'origin',
      header: say('column.origin'),
      width: '124px',
      wideOnly: true,
      cell: ({ origin }) => (
        <Status tone={TONES[origin as 'file'] ?? 'quiet'} text={say(`origin.${origin as 'file'}`)} />
      ),
    },
    {
      id: 'changes',
      header: say('column.changes'),
      width: '92px',
      align: 'end',
      wideOnly: true,
      cell: ({ changes_at: at }) => (at === null ? '–' : <Moment at={at} />),
    },
    {
      id: 'actions',
      header: say('column.actions'),
      width: '64px',
      align: 'end',
      cell: ({ key }) => (
        <span className={classes.actions}>
          {bills && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={say('change.one', { key })}
              onClick={() => onChoose('change', key)}
            >
              <Pencil size={14} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={say('history.one', { key })}
            onClick={() => onChoose('history', key)}
          >
            <History size={14} />
          </ActionIcon>
        </span>
      ),
    },
  ];
}
