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
      <Table
        caption={say('money')}
        rows={ledger.toReversed()}
        rowId={({ id }) => id}
        columns={[
          {
            header: sayFrame('ledger.kind'),
            long: 'wrap',
            cell: ({ kind, amount, change }) => (
              <>
                <EntryKind kind={kind} />
                <p className={classes.about}>
                  {aboutEntry(kind)}
                  {kind === 'settle' && held !== undefined && <Difference held={held} price={amount} back={change} />}
                </p>
              </>
            ),
          },
          { header: sayFrame('ledger.amount'), align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
          { header: sayFrame('ledger.change'), align: 'end', cell: ({ change }) => <Money amount={change} signed /> },
        ]}
      />
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
