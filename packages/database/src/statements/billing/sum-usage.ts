import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** What usage is grouped by; a metadata name is that of an entry of the tasks' metadata. */
export interface UsageGroups {
  day: boolean;
  model: boolean;
  key: boolean;
  family: boolean;
  metadata: readonly string[];
}

export interface UsageQuery {
  accountId: string;
  /** Tasks submitted from then on, */
  from: Date;
  /** and before then. */
  to: Date;
  groups: UsageGroups;
  /** Of groups. */
  limit: number;
}

export interface UsageRow {
  /** Of UTC: `2026-01-31`. What is not asked for is null. */
  day: string | null;
  model: string | null;
  key: string | null;
  family: string | null;
  /** In the order of the names. */
  metadata: (string | null)[] | null;
  tasks: bigint;
  completed: bigint;
  failed: bigint;
  chargedNano: Nano;
}

const GROUPS = `
  case when $4 then (r.created_at at time zone 'UTC')::date end as day,
  case when $5 then r.model end as model, case when $6 then r.key_id end as key, case when $7 then r.family end as family`;
const SUMS = `
  count(*) as tasks, count(*) filter (where r.state = 'settled') as completed,
  count(*) filter (where r.state = 'refunded') as failed, coalesce(sum(r.settled_nano), 0)::bigint as "chargedNano"`;
/** What keys of tests made is free, and no usage. */
const OF_ACCOUNT = 'r.account_id = $1 and r.created_at >= $2 and r.created_at < $3 and not r.is_test';

/** Days become text once they are groups: doing so for each task would take longer than to sum it up. */
function readable(groups: string): string {
  return `
select to_char(g.day, 'YYYY-MM-DD') as day, g.model, g.key, g.family, g.metadata, g.tasks, g.completed, g.failed, g."chargedNano"
from (${groups}) g order by g.day, g.model, g.key, g.family, g.metadata`;
}

function valuesOf({ accountId, from, to, groups, limit }: UsageQuery): unknown[] {
  return [accountId, from, to, groups.day, groups.model, groups.key, groups.family, limit];
}

/** From the reservations: there is one for each task, for good, and what it was settled for is what the ledger charges. */
export const sumUsage: Statement<[query: UsageQuery], UsageRow> = {
  text: readable(`
select ${GROUPS}, null::text[] as metadata, ${SUMS}
from reservations r where ${OF_ACCOUNT}
group by 1, 2, 3, 4 order by 1, 2, 3, 4 limit $8`),
  values: valuesOf,
};

/** The same by metadata, which goes with its task: of a task that was pruned it is null. */
export const sumUsageByMetadata: Statement<[query: UsageQuery], UsageRow> = {
  text: readable(`
select ${GROUPS}, array(select t.metadata ->> n.name from unnest($9::text[]) with ordinality as n(name, place) order by n.place)
    as metadata, ${SUMS}
from reservations r left join tasks t on t.id = r.task_id
where ${OF_ACCOUNT}
group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 limit $8`),
  values: (query) => [...valuesOf(query), query.groups.metadata],
};
