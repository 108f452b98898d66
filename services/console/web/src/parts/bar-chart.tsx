import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { say } from '../frame/texts.ts';
import { currentLanguage } from '../texts/languages.ts';
import classes from './bar-chart.module.css';
import { Table } from './table.tsx';

export interface Series {
  label: string;
  /** One for each day; null: there is none. */
  values: readonly (number | null)[];
}

interface BarChartProps {
  /** The label says what the chart shows to readers who do not see it. */
  label: string;
  /** Days, as 2026-01-31, without gaps; or other marks, with `markText`. */
  days: readonly string[];
  markText?(mark: string): string;
  /** Values that do not add up are not stacked, but drawn as lines. */
  lines?: boolean;
  /** The series from the bottom up. */
  series: readonly Series[];
  height: number;
  format(value: number): string;
}

const COLOURS = 6;
/** The width of the longest mark below the chart, and space beside it. */
const LABEL_PX = 72;
const DAY = new Intl.DateTimeFormat(currentLanguage(), { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Bars by day, a colour for each series, and the same as a table. */
export default function BarChart(props: BarChartProps) {
  const { label, days, series, height, format } = props;
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [day, setDay] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme decides the colours that are read from the styles
  useEffect(() => {
    if (place.current === null) return;
    const chart = draw(place.current, props, setDay);
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) chart.setSize({ width: entry.contentRect.width, height });
    });
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days, series, height, format, scheme]);
  return (
    <figure className={classes.figure} aria-label={label}>
      <div ref={place} aria-hidden />
      <Legend {...props} day={day} />
      <details className={classes.details}>
        <summary>{say('chart.table')}</summary>
        <Values {...props} />
      </details>
    </figure>
  );
}

/** The values of the day under the pointer, else of all days: their sum, of lines the highest. */
function Legend({ days, series, format, markText = dayText, lines, day }: BarChartProps & { day: number | null }) {
  const shownValue = ({ values }: Series) => (day === null ? wholeOf(values, lines) : (values[day] ?? 0));
  const shown = day === null ? say(lines ? 'chart.most' : 'chart.total') : markText(days[day] ?? '');
  return (
    <div className={classes.legend} aria-hidden>
      <span className={classes.entry}>
        {shown} {!lines && <strong className="number">{format(sum(series.map(shownValue)))}</strong>}
      </span>
      {series.map((one, index) => (
        <span key={one.label} className={classes.entry}>
          <span className={classes.swatch} data-colour={(index % COLOURS) + 1} />
          {one.label} <strong className="number">{format(shownValue(one))}</strong>
        </span>
      ))}
    </div>
  );
}

interface DayRow {
  day: string;
  index: number;
}

function Values({ label, days, series, format, markText = dayText }: BarChartProps) {
  return (
    <Table
      caption={label}
      rows={days.map((day, index): DayRow => ({ day, index }))}
      rowId={({ day }) => day}
      columns={[
        { header: label, headerHidden: true, cell: ({ day }) => markText(day) },
        ...series.map((one) => ({
          header: one.label,
          align: 'end' as const,
          cell: ({ index }: DayRow) => valueText(one.values[index], format),
        })),
      ]}
    />
  );
}

function draw(place: HTMLElement, props: BarChartProps, onDay: (day: number | null) => void): uPlot {
  const { days, series, height, format, markText = dayText, lines } = props;
  const style = getComputedStyle(place);
  const colourOf = (name: string) => style.getPropertyValue(name).trim();
  const bars = uPlot.paths.bars?.({ size: [0.72, 36], radius: 0.12 });
  const axis = { stroke: colourOf('--text-quiet'), font: `11px ${style.fontFamily}`, ticks: { show: false } };
  const grid = { stroke: colourOf('--line'), width: 1 };
  const stacked = lines ? series.map(({ values }) => [...values]) : stack(series);
  const options: uPlot.Options = {
    width: place.clientWidth,
    height,
    legend: { show: false },
    padding: [8, 0, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [-0.6, days.length - 0.4] },
      y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        space: LABEL_PX,
        values: (_chart, ticks) => ticks.map((tick) => tickText(days, tick, markText)),
      },
      { ...axis, grid, size: 58, values: (_chart, ticks) => ticks.map(format) },
    ],
    // The whole is drawn first and the lowest part last, over it.
    series: [
      {},
      ...stacked
        .map((_values, index) => {
          const colour = colourOf(`--chart-${(index % COLOURS) + 1}`);
          if (lines) return { stroke: colour, width: 2, points: { show: true, size: 5, fill: colour }, spanGaps: true };
          return { fill: colour, stroke: colour, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
        })
        .reverse(),
    ],
    hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
  };
  return new uPlot(options, [days.map((_day, index) => index), ...stacked.toReversed()], place);
}

/** Each series on top of those before it. */
function stack(series: readonly Series[]): number[][] {
  const below: number[] = [];
  return series.map(({ values }) =>
    values.map((value, index) => {
      const top = (below[index] ?? 0) + (value ?? 0);
      below[index] = top;
      return top;
    }),
  );
}

function tickText(days: readonly string[], tick: number, markText: (mark: string) => string): string {
  const day = days[tick];
  return day === undefined ? '' : markText(day);
}

function dayText(day: string): string {
  return day === '' ? '' : DAY.format(new Date(`${day}T00:00:00Z`));
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null ? '–' : format(value ?? 0);
}

function wholeOf(values: Series['values'], lines = false): number {
  return lines ? Math.max(0, ...values.map((value) => value ?? 0)) : sum(values);
}

function sum(values: Series['values']): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
