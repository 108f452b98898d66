import { Link } from 'react-router';
import { AccountLink } from '../../parts/account-link.tsx';
import { Cost, Margin } from '../../parts/cost.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { currentLanguage } from '../../texts/languages.ts';
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
      <Table caption={say('totals')}>
        <thead>
          <tr>
            <th>{say(`group.${group as 'vendor'}`)}</th>
            <th data-align="end" data-wide>
              {say('tasks')}
            </th>
            <th data-align="end" data-wide>
              {say('failed')}
            </th>
            <th data-align="end">{say('charged')}</th>
            <th data-align="end" data-wide>
              {say('refunded')}
            </th>
            <th data-align="end" data-wide>
              {say('cost')}
            </th>
            <th data-align="end">{say('margin')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td>
                <Name name={row.name} group={group} />
              </td>
              <FigureCells {...row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{say('all')}</td>
            <FigureCells {...total} />
          </tr>
        </tfoot>
      </Table>
    </Panel>
  );
}

function Name({ name, group }: { name: string | null; group: string }) {
  if (name === null) return <span className="quiet">{say('group.none')}</span>;
  if (group === 'account') return <AccountLink id={name} />;
  if (group === 'channel') return <Link to={`/channels/${name}`}>{name}</Link>;
  return name;
}

function FigureCells({ tasks, failed, charged, refunded, cost, cost_unknown, margin }: Figures) {
  return (
    <>
      <td data-align="end" data-wide>
        {count(tasks)}
      </td>
      <td data-align="end" data-wide>
        {count(failed)}
      </td>
      <td data-align="end">
        <Money amount={charged} />
      </td>
      <td data-align="end" data-wide>
        <Money amount={refunded} />
      </td>
      <td data-align="end" data-wide>
        <Cost known={cost} unknown={cost_unknown} />
      </td>
      <td data-align="end">
        <Margin amount={margin} />
      </td>
    </>
  );
}

function count(value: number): string {
  return value.toLocaleString(currentLanguage());
}
