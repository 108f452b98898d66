import { EntryKind } from '../../parts/entry-kind.tsx';
import { Moment } from '../../parts/moment.tsx';
import { exactMoney, Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import type { Case } from './queries.ts';
import { say } from './texts.ts';

/** The money reserved for the task, and everything that was booked for it. */
export function MoneyTrail({ task: { reservation, ledger } }: { task: Case }) {
  if (reservation === null && ledger.length === 0) return null;
  return (
    <Panel title={say('money')} aside={reservation && <Reservation {...reservation} given={givenBack(ledger)} />} flush>
      <Table
        caption={say('money')}
        rows={ledger}
        rowId={({ id }) => id}
        columns={[
          { header: say('money.entry'), cell: ({ kind }) => <EntryKind kind={kind} /> },
          {
            header: say('money.amount'),
            align: 'end',
            wideOnly: true,
            cell: ({ amount }) => <Money amount={amount} />,
          },
          { header: say('money.change'), align: 'end', cell: ({ change }) => <Money amount={change} signed /> },
          {
            header: say('money.balance'),
            align: 'end',
            cell: ({ balance_after: balance }) => (balance === null ? '–' : <Money amount={balance} />),
          },
          { header: say('money.booked'), align: 'end', wideOnly: true, cell: ({ created }) => <Moment at={created} /> },
        ]}
      />
    </Panel>
  );
}

/** The amount that operators have given back of what was charged. */
function givenBack(ledger: Case['ledger']): number {
  return ledger.filter(({ kind }) => kind === 'adjust').reduce((sum, { amount }) => sum + amount, 0);
}

function Reservation({ state, amount, settled, given }: NonNullable<Case['reservation']> & { given: number }) {
  const amounts = { amount: exactMoney(amount), settled: exactMoney(settled ?? 0), given: exactMoney(given) };
  const text = given > 0 ? 'returned' : (state as 'held');
  return <span className="quiet">{say(`reservation.${text}`, amounts)}</span>;
}
