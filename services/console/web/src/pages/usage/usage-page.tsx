import { Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
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
import { GroupChoice, groupOf } from './group-choice.tsx';
import { seriesOf } from './series.ts';
import { say } from './texts.ts';
import { Totals } from './totals.tsx';

const BarChart = lazy(() => import('../../parts/bar-chart.tsx'));
const HEIGHT = 260;
const PERIODS = ['7', '30', '90'];

/** The account's spending by model or another group, day by day. */
export default function UsagePage() {
  const [words, change] = useAddress();
  const days = daysWanted(words.get('days'));
  const by = words.get('by') ?? 'model';
  const group = groupOf(by);
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', days, group],
    queryFn: ({ signal }) => askByDays<Answers['getUsage']>('/v1/usage', { days, group_by: `day,${group}`, signal }),
  });
  const chart = useMemo(() => data && seriesOf(data.data, { days: data.days, group }), [data, group]);
  return (
    <>
      <PageHead title={say('title')} about={say('about', { zone: shownZone() })}>
        <Select
          aria-label={say('period')}
          allowDeselect={false}
          data={PERIODS.map((value) => ({ value, label: say('period.days', { count: Number(value) }) }))}
          value={String(days)}
          onChange={(value) => change({ days: value ?? '' })}
        />
        <GroupChoice by={by} onChange={(next) => change({ by: next })} />
        {data && <CsvButton path="/v1/usage" query={data.query} name={`usage-${data.query.from}-${data.query.to}`} />}
      </PageHead>
      {error && <Failure error={error} retry={refetch} />}
      {!error && data === undefined && <Skeleton height={HEIGHT} />}
      {data?.data.length === 0 && (
        <Panel>
          <Empty icon={ChartColumn} title={say('none')} />
        </Panel>
      )}
      {data !== undefined && data.data.length > 0 && chart !== undefined && (
        <div className="stack">
          <Panel title={say('spend')}>
            <Suspense fallback={<Skeleton height={HEIGHT} />}>
              <BarChart label={say('spend')} height={HEIGHT} format={moneyText} days={data.days} series={chart} />
            </Suspense>
          </Panel>
          <Totals usage={data} group={group} />
        </div>
      )}
    </>
  );
}
