import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Hourglass } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { millisecondsText } from '../../parts/duration.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Filter } from '../../parts/filter.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { currentLanguage } from '../../texts/languages.ts';
import { chartsOf, PARTS } from './charts-of.ts';
import { Models } from './models.tsx';
import { type History as Answer, historyQuery } from './queries.ts';
import { say } from './texts.ts';

const BarChart = lazy(() => import('../../parts/bar-chart.tsx'));
const HEIGHT = 180;
const SPANS = ['60', '360', '1440', '10080'] as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const MOMENT = new Intl.DateTimeFormat(currentLanguage(), TIME);
const MOMENT_OF_WEEK = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'short', ...TIME });
const DAY_SECONDS = 86_400;

/** The faults that ended attempts, and how long the others took, over the time and by model. */
export function History({ id }: { id: string }) {
  const [words, change] = useAddress();
  const minutes = words.get('minutes') ?? '1440';
  const model = words.get('model') ?? '';
  const { data, error, refetch } = useQuery(historyQuery(id, { minutes, model }));
  const models = useQuery(historyQuery(id, { minutes, model: '' })).data?.models ?? [];
  return (
    <>
      <div className="row">
        <SegmentedControl
          size="xs"
          aria-label={say('span')}
          data={SPANS.map((value) => ({ value, label: say(`span.${value}`) }))}
          value={minutes}
          onChange={(value) => change({ minutes: value })}
        />
        <Filter
          name="model"
          label={say('model')}
          data={models.map((one) => one.model)}
          words={words}
          onChange={change}
        />
        {data?.parts.some(({ sampled }) => sampled) && <span className="quiet">{say('sampled')}</span>}
      </div>
      {error && <Failure error={error} retry={refetch} />}
      {!error && (
        <>
          <Chart history={data} figure="faults" />
          <Chart history={data} figure="times" />
        </>
      )}
      {models.length > 0 && <Models models={models} />}
    </>
  );
}

interface ChartProps {
  history: Answer | undefined;
  figure: 'faults' | 'times';
}

function Chart({ history, figure }: ChartProps) {
  const { days, faults, times } = useMemo(() => chartsOf(history), [history]);
  const series = figure === 'faults' ? faults : times;
  return (
    <Panel title={say(figure)}>
      {history === undefined && <Skeleton height={HEIGHT} />}
      {history !== undefined && series.length === 0 && (
        <Empty icon={figure === 'faults' ? CircleCheck : Hourglass} title={say(`${figure}.none`)} />
      )}
      {history !== undefined && series.length > 0 && (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <BarChart
            label={say(figure)}
            height={HEIGHT}
            format={figure === 'faults' ? countText : millisecondsText}
            markText={spansDays(history) ? weekText : momentText}
            lines={figure === 'times'}
            days={days}
            series={series}
          />
        </Suspense>
      )}
    </Panel>
  );
}

function spansDays({ part_seconds: seconds }: Answer): boolean {
  return seconds * PARTS > DAY_SECONDS;
}

/** The text of a whole number; between two of them there is nothing to read. */
function countText(count: number): string {
  return Number.isInteger(count) ? count.toLocaleString(currentLanguage()) : '';
}

function weekText(mark: string): string {
  return MOMENT_OF_WEEK.format(new Date(mark));
}

function momentText(mark: string): string {
  return MOMENT.format(new Date(mark));
}
