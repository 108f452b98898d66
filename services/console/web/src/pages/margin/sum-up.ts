import type { Answers } from '../../api/gateway.ts';

type Group = Answers['adminGetUsage']['data'][number];

export const GROUPS = ['vendor', 'channel', 'model', 'account', 'family', 'key', 'day'] as const;

export type Figures = Pick<
  Answers['adminGetUsage']['total'],
  'tasks' | 'failed' | 'charged' | 'refunded' | 'cost' | 'cost_unknown' | 'margin'
>;

export interface SummedGroup extends Figures {
  /** Null: no vendor was asked. */
  name: string | null;
}

const SUMMED = ['tasks', 'failed', 'charged', 'refunded', 'cost', 'cost_unknown'] as const;

/** The days of each group together; who brings most comes first, days in their order. */
export function sumUp(data: readonly Group[], group: string): SummedGroup[] {
  const rows = [...Map.groupBy(data, (one) => one[group] ?? null)].map(([name, groups]) => ({
    name,
    ...figuresOf(groups),
  }));
  if (group === 'day') return rows.toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''));
  return rows.toSorted((one, other) => other.charged - one.charged);
}

function figuresOf(groups: readonly Group[]): Figures {
  const sum = (figure: (typeof SUMMED)[number]) => groups.reduce((whole, one) => whole + one[figure], 0);
  const [charged, refunded, cost, costUnknown] = [sum('charged'), sum('refunded'), sum('cost'), sum('cost_unknown')];
  // The margin is unknown where a cost is, as in the API's answers.
  const margin = costUnknown > 0 ? null : charged - refunded - cost;
  return { tasks: sum('tasks'), failed: sum('failed'), charged, refunded, cost, cost_unknown: costUnknown, margin };
}
