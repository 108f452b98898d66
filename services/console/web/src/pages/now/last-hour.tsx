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
        <Table<{ id?: string; recent: Recent }>
          caption={say('hour')}
          rows={used.slice(0, MAX_ROWS)}
          rowId={({ id = '' }) => id}
          total={{ recent: totalOf(used) }}
          columns={[
            {
              header: say('channel'),
              cell: ({ id }) => (id === undefined ? say('all') : <Link to={`/channels/${id}`}>{id}</Link>),
            },
            { header: say('attempts'), align: 'end', wideOnly: true, cell: ({ recent }) => recent.attempts },
            { header: say('failed'), align: 'end', cell: ({ recent }) => recent.refused + recent.unknown },
            {
              header: say('p95'),
              align: 'end',
              cell: ({ recent: { p95_ms: p95 } }) => (p95 === null ? '–' : millisecondsText(p95)),
            },
            {
              header: say('cost'),
              align: 'end',
              wideOnly: true,
              cell: ({ recent }) => <Cost known={recent.spend} unknown={recent.cost_unknown} />,
            },
            {
              header: say('charged'),
              align: 'end',
              wideOnly: true,
              cell: ({ recent }) => <Money amount={recent.charged} />,
            },
            {
              header: say('margin'),
              align: 'end',
              wideOnly: true,
              cell: ({ recent }) => <Margin amount={recent.margin} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

type Recent = Pick<
  Channel['recent'],
  'attempts' | 'refused' | 'unknown' | 'p95_ms' | 'spend' | 'cost_unknown' | 'charged' | 'margin'
>;

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
