import type { Answers } from '../../api/gateway.ts';
import { countText } from '../../parts/count-text.ts';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { groupTitle } from './group-choice.tsx';
import { chargedOf } from './series.ts';
import { say } from './texts.ts';

interface TotalsProps {
  usage: Answers['getUsage'];
  group: string;
}

/** The whole time by group, the dearest first. */
export function Totals({ usage: { data, total }, group }: TotalsProps) {
  const rows = [...Map.groupBy(data, (one) => String(one[group] ?? '–'))]
    .map(([name, groups]) => ({
      name,
      tasks: sum(groups, 'tasks'),
      failed: sum(groups, 'failed'),
      charged: chargedOf(groups),
    }))
    .toSorted((one, other) => other.charged - one.charged);
  return (
    <Panel title={say('totals')} flush>
      <Table
        caption={say('totals')}
        rows={rows}
        rowId={({ name }) => name}
        total={{ name: say('all'), ...total }}
        columns={[
          { header: groupTitle(group), cell: ({ name }) => name },
          { header: say('tasks'), align: 'end', cell: ({ tasks }) => countText(tasks) },
          { header: say('failed'), align: 'end', cell: ({ failed }) => countText(failed) },
          { header: say('charged'), align: 'end', cell: ({ charged }) => <Money amount={charged} /> },
        ]}
      />
    </Panel>
  );
}

function sum(groups: readonly { tasks: number; failed: number }[], field: 'tasks' | 'failed'): number {
  return groups.reduce((whole, one) => whole + one[field], 0);
}
