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
    <Panel title={say('money')} aside={reservation && <Reservation {...reservation} />} flush>
      <Table caption={say('money')}>
        <thead>
          <tr>
            <th>{say('money.entry')}</th>
            <th data-align="end" data-wide>
              {say('money.amount')}
            </th>
            <th data-align="end">{say('money.change')}</th>
            <th data-align="end">{say('money.balance')}</th>
            <th data-align="end" data-wide>
              {say('money.booked')}
            </th>
          </tr>
        </thead>
        <tbody>
          {ledger.map(({ id, kind, amount, change, balance_after, created }) => (
            <tr key={id}>
              <td>
                <EntryKind kind={kind} />
              </td>
              <td data-align="end" data-wide>
                <Money amount={amount} />
              </td>
              <td data-align="end">
                <Money amount={change} signed />
              </td>
              <td data-align="end">{balance_after === null ? '–' : <Money amount={balance_after} />}</td>
              <td data-align="end" data-wide>
                <Moment at={created} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function Reservation({ state, amount, settled }: NonNullable<Case['reservation']>) {
  const amounts = { amount: exactMoney(amount), settled: exactMoney(settled ?? 0) };
  return <span className="quiet">{say(`reservation.${state as 'held'}`, amounts)}</span>;
}
