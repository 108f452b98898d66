import { Link } from 'react-router';
import { AccountLink } from '../../parts/account-link.tsx';
import { Cost, Margin } from '../../parts/cost.tsx';
import { countText } from '../../parts/count-text.ts';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import type { Figures, SummedGroup } from './sum-up.ts';
import { say } from './texts.ts';

interface GroupsProps {
  rows: readonly SummedGroup[];
  total: Figures;
  group: string;
}

/** The whole time by group. */
export function Groups({ rows, total, group }: GroupsProps) {
  return (
    <Panel title={say('totals')} flush>
      <Table<SummedGroup | Figures>
        caption={say('totals')}
        rows={rows}
        rowId={(row) => ('name' in row ? String(row.name) : '')}
        total={total}
        columns={[
          { header: say(`group.${group as 'vendor'}`), cell: (row) => <Name row={row} group={group} /> },
          { header: say('tasks'), align: 'end', wideOnly: true, cell: ({ tasks }) => countText(tasks) },
          { header: say('failed'), align: 'end', wideOnly: true, cell: ({ failed }) => countText(failed) },
          { header: say('charged'), align: 'end', cell: ({ charged }) => <Money amount={charged} /> },
          {
            header: say('refunded'),
            align: 'end',
            wideOnly: true,
            cell: ({ refunded }) => <Money amount={refunded} />,
          },
          {
            header: say('cost'),
            align: 'end',
            wideOnly: true,
            cell: (row) => <Cost known={row.cost} unknown={row.cost_unknown} />,
          },
          { header: say('margin'), align: 'end', cell: ({ margin }) => <Margin amount={margin} /> },
        ]}
      />
    </Panel>
  );
}

function Name({ row, group }: { row: SummedGroup | Figures; group: string }) {
  if (!('name' in row)) return say('all');
  const { name } = row;
  if (name === null) return <span className="quiet">{say('group.none')}</span>;
  if (group === 'account') return <AccountLink id={name} />;
  if (group === 'channel') return <Link to={`/channels/${name}`}>{name}</Link>;
  return name;
}
