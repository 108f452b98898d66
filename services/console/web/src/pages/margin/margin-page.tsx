import { SegmentedControl, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { askByDays, daysWanted, shownZone } from '../../api/days.ts';
import type { Answers } from '../../api/gateway.ts';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { moneyText } from '../../parts/money.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { seriesOf } from '../usage/series.ts';
import { Groups } from './groups.tsx';
import { GROUPS, sumUp } from './sum-up.ts';
import { say } from './texts.ts';

const BarChart = lazy(() => import('../../parts/bar-chart.tsx'));
const HEIGHT = 260;
const PERIODS = ['1', '7', '30', '90'];
const FIGURES = ['charged', 'cost'] as const;
type Figure = (typeof FIGURES)[number];
type Usage = Answers['adminGetUsage'];

/** The amounts that accounts were charged, those that vendors charge for it, and the difference. */
export default function MarginPage() {
  const [words, change] = useAddress();
  const days = daysWanted(words.get('days'));
  const group = words.get('by') ?? 'vendor';
  const figure = FIGURES.find((each) => each === words.get('figure')) ?? 'charged';
  const groupBy = group === 'day' ? 'day' : `day,${group}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['margin', days, groupBy],
    queryFn: ({ signal }) => askByDays<Usage>('/admin/v1/usage', { days, group_by: groupBy, signal }),
  });
  return (
    <>
      <PageHead title={say('title')} about={`${say('about')} (${shownZone()})`}>
        <Select
          aria-label={say('period')}
          allowDeselect={false}
          data={PERIODS.map((value) => ({ value, label: say('period.days', { count: Number(value) }) }))}
          value={String(days)}
          onChange={(value) => change({ days: value ?? '' })}
        />
        <Select
          aria-label={say('group')}
          allowDeselect={false}
          data={GROUPS.map((value) => ({ value, label: say(`group.${value}`) }))}
          value={group}
          onChange={(value) => change({ by: value ?? '' })}
        />
        {data && (
          <CsvButton path="/admin/v1/usage" query={data.query} name={`margin-${data.query.from}-${data.query.to}`} />
        )}
      </PageHead>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <Skeleton height={HEIGHT} />}
      {data?.data.length === 0 && (
        <Panel>
          <Empty icon={Scale} title={say('none')} />
        </Panel>
      )}
      {data !== undefined && data.data.length > 0 && (
        <div className="stack">
          <Chart {...data} group={group} figure={figure} onFigure={(value) => change({ figure: value })} />
          <Groups rows={sumUp(data.data, group)} total={data.total} group={group} />
        </div>
      )}
    </>
  );
}

interface ChartProps extends Usage {
  days: readonly string[];
  group: string;
  figure: Figure;
  onFigure(figure: string): void;
}

/** One figure of each group by day. */
function Chart({ data, total, days, group, figure, onFigure }: ChartProps) {
  const series = useMemo(() => {
    if (group !== 'day') return seriesOf(data, { days, group, figure });
    return seriesOf(data, { days, group: '', figure }).map((one) => ({ ...one, label: say(`figure.${figure}`) }));
  }, [data, days, group, figure]);
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={say('figure')}
      data={FIGURES.map((value) => ({ value, label: say(`figure.${value}`) }))}
      value={figure}
      onChange={onFigure}
    />
  );
  return (
    <Panel title={say(`chart.${figure}`)} aside={choice}>
      <Suspense fallback={<Skeleton height={HEIGHT} />}>
        <BarChart label={say(`chart.${figure}`)} height={HEIGHT} format={moneyText} days={days} series={series} />
      </Suspense>
      {figure === 'cost' && total.cost_unknown > 0 && (
        <p className="quiet">{say('chart.unknown', { count: total.cost_unknown })}</p>
      )}
    </Panel>
  );
}
