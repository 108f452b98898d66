import type { ReactNode } from 'react';
import { isEnded, type Task } from '../api/task.ts';
import { say } from '../frame/texts.ts';
import { AccountLink } from './account-link.tsx';
import type { Column } from './data-table.tsx';
import { Moment } from './moment.tsx';
import { Money } from './money.tsx';

/* Columns that several tables have. Narrow screens leave them out; a table that keeps one there says `wideOnly: false`. */

/** A time in Unix seconds, or a dash where there is none. */
export function momentColumn<Row>(id: string, header: string, at: (row: Row) => number | null): Column<Row> {
  const cell = (row: Row) => orDash(at(row), (seconds) => <Moment at={seconds} />);
  return { id, header, width: '92px', align: 'end', wideOnly: true, cell };
}

/** An amount in currency units, or a dash where there is none. */
export function moneyColumn<Row>(id: string, header: string, amount: (row: Row) => number | null): Column<Row> {
  const cell = (row: Row) => orDash(amount(row), (units) => <Money amount={units} />);
  return { id, header, width: '92px', align: 'end', wideOnly: true, cell };
}

/** The cost of a task; while it has not ended, in words what is held for it, which is no cost. */
export function costColumn<Row extends Pick<Task, 'status' | 'cost' | 'reserved'>>(): Column<Row> {
  const cell = (task: Row) =>
    isEnded(task) ? (
      <Money amount={task.cost} />
    ) : (
      <span className="quiet">
        {say('cost.held')} <Money amount={task.reserved} />
      </span>
    );
  return { id: 'cost', header: say('cost'), width: '132px', align: 'end', wideOnly: true, cell };
}

export function accountColumn<Row extends { account_id: string }>(header: string): Column<Row> {
  const cell = ({ account_id: id }: Row) => <AccountLink id={id} />;
  return { id: 'account', header, width: 'minmax(0, 1fr)', wideOnly: true, cell };
}

function orDash(value: number | null, show: (value: number) => ReactNode) {
  return value === null ? '–' : show(value);
}
