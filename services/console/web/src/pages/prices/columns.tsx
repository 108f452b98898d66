import { History, Pencil } from 'lucide-react';
import { momentColumn, moneyColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { IconAction } from '../../parts/icon-action.tsx';
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
    { ...moneyColumn('price', say('column.price'), ({ price }) => price), wideOnly: false, width: '76px' },
    {
      id: 'origin',
      header: say('column.origin'),
      width: '124px',
      wideOnly: true,
      cell: ({ origin }) => (
        <Status tone={TONES[origin as 'file'] ?? 'quiet'} text={say(`origin.${origin as 'file'}`)} />
      ),
    },
    momentColumn('changes', say('column.changes'), ({ changes_at: at }) => at),
    {
      id: 'actions',
      header: say('column.actions'),
      width: '64px',
      align: 'end',
      cell: ({ key }) => (
        <span className={classes.actions}>
          {bills && (
            <IconAction icon={Pencil} label={say('change.one', { key })} onClick={() => onChoose('change', key)} />
          )}
          <IconAction icon={History} label={say('history.one', { key })} onClick={() => onChoose('history', key)} />
        </span>
      ),
    },
  ];
}
