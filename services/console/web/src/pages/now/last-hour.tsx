import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Cost, Margin } from '../../parts/cost.tsx';
import { millisecondsText } from '../../parts/duration.ts';
import { Failure } from '../../parts/failure.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table, TableSkeleton } from '../../parts/table.tsx';
import { type Channel, channelsQuery } from '../channels/queries.ts';
import { say } from './texts.ts';

const MAX_ROWS = 8;

/** The slowest channels first, and what the hour cost and brought. */
export function LastHour() {
  const { data, error, refetch } = useQuery(channelsQuery);
  const used = data?.filter(({ recent, test }) => !test && recent.attempts > 0).toSorted(bySlowness) ?? [];
  return (
    <Panel title={say('hour')} aside={<Link to="/channels">{say('channels')}</Link>} flush>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <TableSkeleton rows={3} />}
      {data !== undefined && (
        <Table caption={say('hour')}>
          <thead>
            <tr>
              <th>{say('channel')}</th>
              <th data-align="end" data-wide>
                {say('attempts')}
              </th>
              <th data-align="end">{say('failed')}</th>
              <th data-align="end">{say('p95')}</th>
              <th data-align="end" data-wide>
                {say('cost')}
              </th>
              <th data-align="end" data-wide>
                {say('charged')}
              </th>
              <th data-align="end" data-wide>
                {say('margin')}
              </th>
            </tr>
          </thead>
          <tbody>
            {used.slice(0, MAX_ROWS).map((channel) => (
              <tr key={channel.id}>
                <td>
                  <Link to={`/channels/${channel.id}`}>{channel.id}</Link>
                </td>
                <Figures recent={channel.recent} />
              </tr>
            ))}
            <tr>
              <td>{say('all')}</td>
              <Figures recent={totalOf(used)} />
            </tr>
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

type Recent = Pick<
  Channel['recent'],
  'attempts' | 'refused' | 'unknown' | 'p95_ms' | 'spend' | 'cost_unknown' | 'charged' | 'margin'
>;

function Figures({ recent }: { recent: Recent }) {
  return (
    <>
      <td data-align="end" data-wide className="number">
        {recent.attempts}
      </td>
      <td data-align="end" className="number">
        {recent.refused + recent.unknown}
      </td>
      <td data-align="end" className="number">
        {recent.p95_ms === null ? '–' : millisecondsText(recent.p95_ms)}
      </td>
      <td data-align="end" data-wide>
        <Cost known={recent.spend} unknown={recent.cost_unknown} />
      </td>
      <td data-align="end" data-wide>
        <Money amount={recent.charged} />
      </td>
      <td data-align="end" data-wide>
        <Margin amount={recent.margin} />
      </td>
    </>
  );
}

function totalOf(channels: readonly Channel[]): Recent {
  const sum = (figure: Exclude<keyof Recent, 'p95_ms' | 'margin'>) =>
    channels.reduce((total, { recent }) => total + recent[figure], 0);
  const [charged, spend, unknownCosts] = [sum('charged'), sum('spend'), sum('cost_unknown')];
  return {
    attempts: sum('attempts'),
    refused: sum('refused'),
    unknown: sum('unknown'),
    // Several channels have no 95th percentile in common.
    p95_ms: null,
    spend,
    cost_unknown: unknownCosts,
    charged,
    margin: unknownCosts > 0 ? null : charged - spend,
  };
}

function bySlowness({ recent: one }: Channel, { recent: other }: Channel): number {
  return (other.p95_ms ?? 0) - (one.p95_ms ?? 0);
}
