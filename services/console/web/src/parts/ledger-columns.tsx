import { Link } from 'react-router';
import type { components } from '../api/generated/api.ts';
import { say } from '../frame/texts.ts';
import { momentColumn, moneyColumn } from './columns.tsx';
import type { Column } from './data-table.tsx';
import { aboutEntry, EntryKind } from './entry-kind.tsx';
import { shortId } from './id-chip.tsx';
import classes from './ledger-columns.module.css';
import { Money } from './money.tsx';

/** Operators also see why it was booked. */
type Entry = components['schemas']['LedgerEntry'] &
  Partial<Pick<components['schemas']['OperatorLedgerEntry'], 'reason' | 'reference'>>;

/** The columns of a ledger: what each booking is, why it was made, and what it did to the balance. */
export function ledgerColumns(): readonly Column<Entry>[] {
  return [
    { id: 'kind', header: say('ledger.kind'), width: '112px', cell: ({ kind }) => <EntryKind kind={kind} /> },
    {
      id: 'about',
      header: say('ledger.about'),
      width: 'minmax(0, 2fr)',
      wideOnly: true,
      cell: (entry) => <span className={classes.about}>{whyOf(entry)}</span>,
    },
    {
      id: 'task',
      header: say('ledger.task'),
      width: '130px',
      wideOnly: true,
      cell: ({ task_id: id }) => id !== null && <Link to={`/tasks/${id}`}>{shortId(id)}</Link>,
    },
    moneyColumn('amount', say('ledger.amount'), ({ amount }) => amount),
    {
      id: 'change',
      header: say('ledger.change'),
      width: 'minmax(72px, 1fr)',
      align: 'end',
      cell: ({ change }) => <Money amount={change} signed />,
    },
    {
      id: 'balance',
      header: say('ledger.balance'),
      width: 'minmax(72px, 1fr)',
      align: 'end',
      cell: ({ balance_after: balance }) => balance !== null && <Money amount={balance} />,
    },
    momentColumn('created', say('ledger.created'), ({ created }) => created),
  ];
}

/** The words written beside the booking, or else what such a booking is. */
function whyOf({ kind, reason, reference }: Entry): string {
  return [reference, reason].filter((words) => words).join(' · ') || aboutEntry(kind);
}
