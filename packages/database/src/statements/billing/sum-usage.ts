import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { isSeen, type Visibility } from '../visibility';
import { isKnownZone, wholeDays } from './usage-days';

/** The values by which usage is grouped; `metadata` names entries of the tasks' metadata. */
export interface UsageGroups {
  day: boolean;
  model: boolean;
  key: boolean;
  family: boolean;
  metadata: readonly string[];
}

export interface UsageQuery extends Visibility {
  /** Tasks submitted from then on, */
  from: Date;
  /** and before then. */
  to: Date;
  groups: UsageGroups;
  /** Days are those of this zone, by its IANA name; absent: of UTC. */
  timezone?: string | undefined;
  /** Groups at most. */
  limit: number;
}

export interface UsageRow {
  /** `2026-01-31`. Values that are not asked for are null. */
  day: string | null;
  model: string | null;
  key: string | null;
  family: string | null;
  /** The values in the order of the names. */
  metadata: (string | null)[] | null;
  tasks: bigint;
  completed: bigint;
  failed: bigint;
  chargedNano: Nano;
}

const GROUPS = `
  case when $4 then r.day end as day, case when $5 then r.model end as model, case when $6 then r.key_id end as key,
  case when $7 then r.family end as family`;
const SUMS = `
  sum(r.tasks)::bigint as tasks, sum(r.completed)::bigint as completed, sum(r.failed)::bigint as failed,
  sum(r.charged_nano)::bigint as "chargedNano"`;
const ofReservation = (zone: string) => `
  (r.created_at at time zone ${zone})::date as day, r.model, r.key_id, r.family, 1 as tasks, (r.state = 'settled')::int as completed,
  (r.state = 'refunded')::int as failed, coalesce(r.settled_nano, 0) as charged_nano`;
const OF_RESERVATION = ofReservation(`'UTC'`);

/** The account's reservations that the caller sees; tasks of test keys are free, and no usage. */
const ofAccount = (from: string, to: string) =>
  `r.account_id = $1 and ${isSeen('r.key_id', '$9')} and r.created_at >= ${from} and r.created_at < ${to} and not r.is_test`;

/** Days become text once they are groups: doing so for each task would take longer than to sum it up. */
function readable(groups: string): string {
  return `
select to_char(g.day, 'YYYY-MM-DD') as day, g.model, g.key, g.family, g.metadata, g.tasks, g.completed, g.failed, g."chargedNano"
from (${groups}) g order by g.day, g.model, g.key, g.family, g.metadata`;
}

function valuesOf({ accountId, ownKeyId, from, to, groups, limit }: UsageQuery): unknown[] {
  return [accountId, from, to, groups.day, groups.model, groups.key, groups.family, limit, ownKeyId];
}

/**
 * Sums up whole days, and the reservations of all other tasks: each task has one, for good, and its settled amount is what the ledger
 * charges.
 */
export const sumUsage: Statement<[query: UsageQuery], UsageRow> = {
  text: `${wholeDays('$2', '$3')}${readable(`
select ${GROUPS}, null::text[] as metadata, ${SUMS}
from (
  select u.day, nullif(u.model, '') as model, u.key_id, nullif(u.family, '') as family, u.completed + u.failed as tasks, u.completed,
    u.failed, u.charged_nano
  from usage_days u where u.account_id = $1 and ${isSeen('u.key_id', '$9')} and u.day >= (select first_day from whole) and u.day < (select end_day from whole)
  union all
  select ${OF_RESERVATION} from reservations r where ${ofAccount('$2', 'least($3, (select first_at from whole))')}
  union all
  select ${OF_RESERVATION} from reservations r
  where ${ofAccount('(select greatest(first_at, unsummed_from) from whole)', '(select least($3, end_at) from whole)')}
    and r.task_id > (select summed_to from whole)
  union all
  select ${OF_RESERVATION} from reservations r where ${ofAccount('(select greatest(first_at, end_at) from whole)', '$3')}
) r
group by 1, 2, 3, 4 order by 1, 2, 3, 4 limit $8`)}`,
  values: valuesOf,
};

/**
 * Sums up by metadata, or by days of another zone than UTC: no sum of days has them, so each task is read. Metadata goes with its task: that of
 * a pruned task is null.
 */
export const sumUsageOfEach: Statement<[query: UsageQuery], UsageRow> = {
  text: readable(`
select ${GROUPS}, r.metadata, ${SUMS}
from (
  select ${ofReservation('$11::text')},
    array(select t.metadata ->> n.name from unnest($10::text[]) with ordinality as n(name, place) order by n.place) as metadata
  from reservations r left join tasks t on cardinality($10::text[]) > 0 and t.id = r.task_id
  where ${ofAccount('$2', '$3')} and ${isKnownZone('$11::text')}
) r
group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5 limit $8`),
  values: (query) => [...valuesOf(query), query.groups.metadata, query.timezone ?? 'UTC'],
};
