import type { Task } from '../../api/task.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { aboutEntry, EntryKind } from '../../parts/entry-kind.tsx';
import { exactMoney, Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import classes from './money-trail.module.css';
import { say } from './texts.ts';

/** The bookings for the task, in order, and what each comes to. */
export function MoneyTrail({ task: { ledger = [] } }: { task: Task }) {
  if (ledger.length === 0) return null;
  const held = ledger.find(({ kind }) => kind === 'hold')?.amount;
  return (
    <Panel title={say('money')} flush>
      <Table caption={say('money')}>
        <thead>
          <tr>
            <th>{sayFrame('ledger.kind')}</th>
            <th data-align="end">{sayFrame('ledger.amount')}</th>
            <th data-align="end">{sayFrame('ledger.change')}</th>
          </tr>
        </thead>
        <tbody>
          {ledger.toReversed().map(({ id, kind, amount, change }) => (
            <tr key={id}>
              <td data-wrap>
                <EntryKind kind={kind} />
                <p className={classes.about}>
                  {aboutEntry(kind)}
                  {kind === 'settle' && held !== undefined && <Difference held={held} price={amount} back={change} />}
                </p>
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

/** The difference, with all decimals. */
function Difference({ held, price, back }: Record<'held' | 'price' | 'back', number>) {
  return (
    <span className={`number ${classes.difference}`}>
      {exactMoney(held)} − {exactMoney(price)} = {exactMoney(back)}
    </span>
  );
}
