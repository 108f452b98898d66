import type { Task } from '../../api/task.ts';
import { EntryKind } from '../../parts/entry-kind.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { say } from './texts.ts';

/** What was booked for the task, in order. */
export function MoneyTrail({ task: { ledger = [] } }: { task: Task }) {
  if (ledger.length === 0) return null;
  return (
    <Panel title={say('money')} flush>
      <Table caption={say('money')}>
        <thead>
          <tr>
            <th>{say('money.kind')}</th>
            <th data-align="end">{say('money.amount')}</th>
            <th data-align="end">{say('money.change')}</th>
          </tr>
        </thead>
        <tbody>
          {ledger.toReversed().map(({ id, kind, amount, change }) => (
            <tr key={id}>
              <td>
                <EntryKind kind={kind} />
              </td>
              <td data-align="end">
                <Money amount={amount} />
              </td>
              <td data-align="end">
                <Money amount={change} signed />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
