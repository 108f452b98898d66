import type { Nano } from '@mediagate/contracts';
import type { Database, MarginGroup, MarginRow, UnitRow } from '@mediagate/database';
import { type KeptDoor, requireKept } from '../kept-bookings';

export interface MarginRequest {
  /** Tasks submitted from then on, */
  from: Date;
  /** and before then. */
  to: Date;
  /** In the order of the columns. */
  groupBy: readonly MarginGroup[];
  /** The zone of the days; absent: UTC. */
  timezone?: string | undefined;
  /** The vendor of each channel. */
  vendors: ReadonlyMap<string, string>;
  /** Adds the quantities that accounts were charged for. */
  units?: boolean;
}

/** The sums of one group, or of all of them. */
export interface MarginSums {
  tasks: number;
  completed: number;
  failed: number;
  chargedNano: Nano;
  /** The part of the charges that operators gave back by hand. */
  refundedNano: Nano;
  /** The vendors' charges, as far as they are known. */
  costNano: Nano;
  /** Ended tasks whose cost is not known. */
  costUnknown: number;
  /** The quantities that accounts were charged for, in billionths, by unit of the price list; absent: not asked for. */
  units?: ReadonlyMap<string, bigint>;
}

export interface MarginReport {
  kind: 'report';
  groupBy: readonly MarginGroup[];
  /** The values of a group are in the order of `groupBy`. */
  rows: readonly (MarginSums & { values: readonly (string | null)[] })[];
  total: MarginSums;
}

/** One report cannot sum up so many tasks or groups: the operator has to ask for a shorter time, or fewer groups. */
export interface MarginTooWide {
  kind: 'too_many_tasks' | 'too_many_groups';
  limit: number;
}

/** Tasks that no day's sums hold yet: as many as one statement can read within its time limit. */
const MAX_TASKS_READ = 1_000_000;
const MAX_GROUPS = 10_000;

/**
 * Sums what tasks were charged and what their vendors charge; tasks of test keys are left out.
 *
 * @throws BookingsRemovedError when it needs single bookings of a time of which there are only sums.
 */
export async function readMargin(
  database: Pick<Database, 'sumMargin' | 'sumUnits'> & KeptDoor,
  { from, to, groupBy, timezone, vendors, units = false }: MarginRequest,
  { maxTasks = MAX_TASKS_READ, maxGroups = MAX_GROUPS }: { maxTasks?: number; maxGroups?: number } = {},
): Promise<MarginReport | MarginTooWide> {
  const areSummed = timezone === undefined || timezone === 'UTC' || !groupBy.includes('day');
  // One more of each tells whether there are more.
  const limits = { maxTasks: maxTasks + 1, maxGroups: maxGroups + 1 };
  const query = { from, to, groups: groupBy, timezone, vendors, ...limits };
  const found = await database.sumMargin(query);
  if (found.length > maxGroups) return { kind: 'too_many_groups', limit: maxGroups };
  if ((found[0]?.tasksRead ?? 0n) > maxTasks) return { kind: 'too_many_tasks', limit: maxTasks };
  const ofUnits = units ? await database.sumUnits(query) : [];
  await requireKept(database, { from, to }, areSummed);
  const rows = found.map((row) => ({ values: groupBy.map((name) => row[name]), ...toSums(row) }));
  const total = rows.reduce(add, NOTHING);
  if (!units) return { kind: 'report', groupBy, rows, total };
  const ofGroups = unitsByGroup(ofUnits, groupBy);
  const withUnits = rows.map((row) => ({ ...row, units: ofGroups.get(JSON.stringify(row.values)) ?? new Map() }));
  return { kind: 'report', groupBy, rows: withUnits, total };
}

/** The charges less refunds and costs. Null where the cost of a task is not known: a margin without it would be too high. */
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
