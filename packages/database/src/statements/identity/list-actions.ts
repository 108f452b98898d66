import type { JsonObject } from '@mediagate/contracts';
import type { Scanned } from '../../page';
import type { Statement } from '../../statement';

/** Selects entries of the audit log; null fields do not narrow the search. */
export interface ActionSearch {
  /** Ids below this one. */
  before: bigint;
  /** Entries that one page looks at. */
  scanRows: number;
  limit: number;
  subject: string | null;
  actor: string | null;
  action: string | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
}

export interface LoggedAction {
  id: bigint;
  createdAt: Date;
  actor: string;
  action: string;
  subject: string;
  detail: JsonObject;
}

/** An entry has its time when its statement begins, and its id up to the length of a statement later: 60 s at most. */
const SKEW = "interval '5 minutes'";

/** The ids between which the entries of the wanted time are. */
const BOUNDS = `
bounds as materialized (
  select
    coalesce((
      select l.id from audit_log l where l.created_at < $7::timestamptz - ${SKEW} order by l.created_at desc limit 1
    ), 0) as low,
    least($1::bigint, coalesce((
      select l.id from audit_log l where l.created_at >= $8::timestamptz + ${SKEW} order by l.created_at limit 1
    ), $1)) as high
)`;

const FILTERS = `
  ($4::text is null or l.subject = $4) and ($5::text is null or l.actor = $5) and ($6::text is null or l.action = $6)
  and ($7::timestamptz is null or l.created_at >= $7) and ($8::timestamptz is null or l.created_at < $8)`;

/** The newest first, by an index that has the ids in order: `range` is of it alone. */
function loggedBy(range: string, order: string): Statement<[search: ActionSearch], Scanned<LoggedAction>> {
  const source = `
    select l.* from bounds b cross join lateral (
      select l.* from audit_log l where ${range} order by ${order} limit $2
    ) l`;
  return {
    text: `
with ${BOUNDS},
found as materialized (
  select l.id, l.created_at, l.actor, l.action, l.subject, l.detail from (${source}) l where ${FILTERS} limit $3
),
scan as (
  select case when (select count(*) from found) < $3 then (
    select l.id from (${source}) l offset $2 - 1 limit 1
  ) end as "lookedUntil"
)
select f.id, f.created_at as "createdAt", f.actor, f.action, f.subject, f.detail, s."lookedUntil"
from scan s left join found f on true order by f.id desc`,
    values: ({ before, scanRows, limit, subject, actor, action, createdFrom, createdBefore }) => [
      before,
      scanRows,
      limit,
      subject,
      actor,
      action,
      createdFrom,
      createdBefore,
    ],
  };
}

/** The row comparison keeps the planner to the index on the column and id. */
const under = (column: string, value: string) =>
  loggedBy(
    `(l.${column}, l.id) < (${value}, b.high) and (l.${column}, l.id) > (${value}, b.low)`,
    `l.${column} desc, l.id desc`,
  );

export const listActions = loggedBy('l.id < b.high and l.id > b.low', 'l.id desc');
export const listActionsOfSubject = under('subject', '$4');
export const listActionsOfActor = under('actor', '$5');
export const listActionsOfKind = under('action', '$6');

interface NamedActor {
  actor: string;
  /** Null: nobody is known behind it. */
  name: string | null;
}

/**
 * Finds names for actors of the audit log: a user's e-mail address, also where a token or key stands for them; else the name of the token
 * or key, or that of whoever ran the command line.
 */
export const nameActors: Statement<[actors: readonly string[]], NamedActor> = {
  text: `
select a.actor, coalesce(
  (select u.email from users u where a.actor like 'user:%' and u.id = i.id),
  (select u.email from users u where (a.actor like 'operator:%' or a.actor like 'key:%') and u.credential_id = i.id limit 1),
  (select t.name from operator_tokens t where a.actor like 'operator:%' and t.id = i.id),
  (select nullif(k.name, '') from api_keys k where a.actor like 'key:%' and k.id = i.id),
  case when a.actor like 'cli:%' then i.id end
) as name
from unnest($1::text[]) a(actor) cross join lateral (select substr(a.actor, strpos(a.actor, ':') + 1) as id) i`,
  values: (actors) => [actors],
};
