import type { Nano } from '@mediagate/contracts';
import type { Database, MarginGroup, MarginRow, UnitRow } from '@mediagate/database';

export interface MarginRequest {
  /** Tasks submitted from then on, */
  from: Date;
  /** and before then. */
  to: Date;
  /** In the order of the columns. */
  groupBy: readonly MarginGroup[];
  /** Whose each channel is. */
  vendors: ReadonlyMap<string, string>;
  /** With what was charged for. */
  units?: boolean;
}

/** What one group, or all of them, came to. */
export interface MarginSums {
  tasks: number;
  completed: number;
  failed: number;
  chargedNano: Nano;
  /** By hand, of what was charged. */
  refundedNano: Nano;
  /** What vendors charge, as far as it is known. */
  costNano: Nano;
  /** Ended tasks of whose cost nothing is known. */
  costUnknown: number;
  /** What accounts were charged for, in billionths by unit of the price list; absent: not asked for. */
  units?: ReadonlyMap<string, bigint>;
}

export interface MarginReport {
  kind: 'report';
  groupBy: readonly MarginGroup[];
  /** The values of a group are in the order of `groupBy`. */
  rows: readonly (MarginSums & { values: readonly (string | null)[] })[];
  total: MarginSums;
}

/** More than one report sums up: a shorter time, or fewer groups, are to be asked for. */
export interface MarginTooWide {
  kind: 'too_many_tasks' | 'too_many_groups';
  limit: number;
}

/** That no day's sums have: what one statement reads within the time that a statement has. */
const MAX_TASKS_READ = 1_000_000;
const MAX_GROUPS = 10_000;

/** What tasks were charged and what their vendors charge, but of test keys. */
export async function readMargin(
  database: Pick<Database, 'sumMargin' | 'sumUnits'>,
  { from, to, groupBy, vendors, units = false }: MarginRequest,
  { maxTasks = MAX_TASKS_READ, maxGroups = MAX_GROUPS }: { maxTasks?: number; maxGroups?: number } = {},
): Promise<MarginReport | MarginTooWide> {
  // One more of each tells whether there are more.
  const limits = { maxTasks: maxTasks + 1, maxGroups: maxGroups + 1 };
  const query = { from, to, groups: groupBy, vendors, ...limits };
  const found = await database.sumMargin(query);
  if (found.length > maxGroups) return { kind: 'too_many_groups', limit: maxGroups };
  if ((found[0]?.tasksRead ?? 0n) > maxTasks) return { kind: 'too_many_tasks', limit: maxTasks };
  const rows = found.map((row) => ({ values: groupBy.map((name) => row[name]), ...toSums(row) }));
  const total = rows.reduce(add, NOTHING);
  if (!units) return { kind: 'report', groupBy, rows, total };
  const ofGroups = unitsByGroup(await database.sumUnits(query), groupBy);
  const withUnits = rows.map((row) => ({ ...row, units: ofGroups.get(JSON.stringify(row.values)) ?? new Map() }));
  return { kind: 'report', groupBy, rows: withUnits, total };
}

/**
 * What is left of the charges. Null where the cost of a task is not known: a margin without it would be too high.
 */
export function marginNano({ chargedNano, refundedNano, costNano, costUnknown }: MarginSums): Nano | null {
  return costUnknown > 0 ? null : chargedNano - refundedNano - costNano;
}

function unitsByGroup(rows: readonly UnitRow[], groupBy: readonly MarginGroup[]): Map<string, Map<string, bigint>> {
  const groups = new Map<string, Map<string, bigint>>();
  for (const row of rows) {
    const name = JSON.stringify(groupBy.map((group) => row[group]));
    groups.set(name, (groups.get(name) ?? new Map()).set(row.unit, BigInt(row.quantity)));
  }
  return groups;
}

const NOTHING: MarginSums = {
  tasks: 0,
  completed: 0,
  failed: 0,
  chargedNano: 0n,
  refundedNano: 0n,
  costNano: 0n,
  costUnknown: 0,
};

function toSums({ tasks, completed, failed, chargedNano, refundedNano, costNano, costUnknown }: MarginRow): MarginSums {
  const counts = { tasks: Number(tasks), completed: Number(completed), failed: Number(failed) };
  return { ...counts, chargedNano, refundedNano, costNano, costUnknown: Number(costUnknown) };
}

function add(sum: MarginSums, row: MarginSums): MarginSums {
  return {
    tasks: sum.tasks + row.tasks,
    completed: sum.completed + row.completed,
    failed: sum.failed + row.failed,
    chargedNano: sum.chargedNano + row.chargedNano,
    refundedNano: sum.refundedNano + row.refundedNano,
    costNano: sum.costNano + row.costNano,
    costUnknown: sum.costUnknown + row.costUnknown,
  };
}
