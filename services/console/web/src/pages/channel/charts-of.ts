import type { Series } from '../../parts/bar-chart.tsx';
import type { History } from './queries.ts';
import { say } from './texts.ts';

type Part = History['parts'][number];

/** The number of parts into which the API cuts the time. */
export const PARTS = 48;

interface Charts {
  /** Where each part begins. */
  days: string[];
  faults: Series[];
  /** Empty: no attempt succeeded. */
  times: Series[];
}

/** Every part of the time, also those in which nothing began. */
export function chartsOf(history: History | undefined): Charts {
  if (history === undefined) return { days: [], faults: [], times: [] };
  const { from, part_seconds: seconds, parts } = history;
  const all = Array.from({ length: PARTS }, (_, index) => parts.find((part) => indexOf(part, history) === index));
  const names = [...new Set(parts.flatMap(({ faults }) => Object.keys(faults)))].toSorted();
  const hasTimes = parts.some(({ median_ms: median }) => median !== null);
  return {
    days: all.map((_, index) => new Date((from + index * seconds) * 1000).toISOString()),
    faults: names.map((label) => ({ label, values: all.map((part) => part?.faults[label] ?? 0) })),
    times: hasTimes
      ? [
          { label: say('median'), values: all.map((part) => part?.median_ms ?? null) },
          { label: say('p95'), values: all.map((part) => part?.p95_ms ?? null) },
        ]
      : [],
  };
}

function indexOf(part: Part, { from, part_seconds: seconds }: History): number {
  return Math.round((part.from - from) / seconds);
}
