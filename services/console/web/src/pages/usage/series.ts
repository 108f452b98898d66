import type { Answers } from '../../api/gateway.ts';
import type { Series } from '../../parts/bar-chart.tsx';

/** A group of callers' usage, or of operators', which has more figures. */
type Group = Pick<Answers['getUsage']['data'][number], 'charged'> & { [name: string]: unknown };
type Figure = 'charged' | 'cost';

/** As many as there are colours, the last for all others. */
const MAX_SERIES = 6;

interface SeriesOptions {
  days: readonly string[];
  group: string;
  figure?: Figure;
}

/** The charges by day, or another figure; the groups that have least of it are one series together. */
export function seriesOf(data: readonly Group[], { days, group, figure = 'charged' }: SeriesOptions): Series[] {
  const sum = (groups: readonly Group[]) => groups.reduce((whole, one) => whole + Number(one[figure]), 0);
  const byName = Map.groupBy(data, (one) => String(one[group] ?? '–'));
  const ordered = [...byName].toSorted(([, one], [, other]) => sum(other) - sum(one));
  const alone = ordered.length <= MAX_SERIES ? ordered : ordered.slice(0, MAX_SERIES - 1);
  const others = ordered.slice(alone.length).flatMap(([, groups]) => groups);
  const shown = others.length === 0 ? alone : [...alone, ['…', others] as const];
  return shown.map(([label, groups]) => ({
    label,
    values: days.map((day) => sum(groups.filter((one) => one['day'] === day))),
  }));
}

export function chargedOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { charged }) => sum + charged, 0);
}
