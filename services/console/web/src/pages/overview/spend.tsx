import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { Answers } from '../../api/gateway.ts';
import { Failure } from '../../parts/failure.tsx';
import { moneyText } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { recentUsageQuery } from './queries.ts';
import { say } from './texts.ts';

const BarChart = lazy(() => import('../../parts/bar-chart.tsx'));
const HEIGHT = 220;

/** The cost of each of the last 30 days, by family. */
export function Spend() {
  const { data, error, refetch } = useQuery(recentUsageQuery);
  return (
    <Panel title={say('spend')} aside={<Link to="/usage">{say('spend.more')}</Link>}>
      {error && <Failure error={error} retry={refetch} />}
      {!error && (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          {data === undefined ? (
            <Skeleton height={HEIGHT} />
          ) : (
            <BarChart label={say('spend')} height={HEIGHT} format={moneyText} {...spendByFamily(data)} />
          )}
        </Suspense>
      )}
    </Panel>
  );
}

function spendByFamily({ data, days }: Pick<Answers['getUsage'], 'data'> & { days: readonly string[] }) {
  const families = [...new Set(data.map(({ family }) => String(family)))].sort();
  const charged = new Map(data.map((group) => [`${group['day']} ${group['family']}`, group.charged]));
  const series = families.map((family) => ({
    label: family,
    values: days.map((day) => charged.get(`${day} ${family}`) ?? 0),
  }));
  return { days, series };
}
