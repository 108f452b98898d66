import type { Answers } from '../../api/gateway.ts';
import type { Series } from '../../parts/bar-chart.tsx';

type Group = Answers['getUsage']['data'][number];

const DAY_MS = 86_400_000;
const MAX_DAYS = 92;
/** As many as there are colours, the last for all others. */
const MAX_SERIES = 6;

/** The last days of UTC, today included. */
export function daysOf(count: number): string[] {
  const length = Math.min(Math.max(Math.trunc(count) || 1, 1), MAX_DAYS);
  const now = Date.now();
  return Array.from({ length }, (_, index) => new Date(now - (length - 1 - index) * DAY_MS).toISOString().slice(0, 10));
}

/** What was charged by day; the groups that cost least are one series together. */
export function seriesOf(
  data: readonly Group[],
  { days, group }: { days: readonly string[]; group: string },
): Series[] {
  const byName = Map.groupBy(data, (one) => String(one[group] ?? '–'));
  const ordered = [...byName].toSorted(([, one], [, other]) => chargedOf(other) - chargedOf(one));
  const alone = ordered.length <= MAX_SERIES ? ordered : ordered.slice(0, MAX_SERIES - 1);
  const others = ordered.slice(alone.length).flatMap(([, groups]) => groups);
  const shown = others.length === 0 ? alone : [...alone, ['…', others] as const];
  return shown.map(([label, groups]) => ({
    label,
    values: days.map((day) => chargedOf(groups.filter((one) => one['day'] === day))),
  }));
}

export function chargedOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { charged }) => sum + charged, 0);
}
