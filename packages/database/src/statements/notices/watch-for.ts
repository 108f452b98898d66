import type { Statement } from '../../statement';

/** Whom operators' notices belong to, in place of an account. */
export const OPERATORS = 'operators';

export interface Watched {
  /** Notices that are new, stand again, or have other figures. */
  raised: number;
  /** Those whose condition holds no more. */
  ended: number;
}

/**
 * A statement that compares the open notices of a kind with what holds now. Rows that are as they should be are not touched, so that
 * a look at thousands of them writes nothing.
 *
 * @param holding CTEs of which one is `holds`, with the columns `owner`, `subject`, `account_id`, `level`, `since` and `figures`.
 */
export function watchFor(kind: string, holding: string): Statement<number[][], Watched>['text'] {
  return `
with ${holding.trim()},
fresh as materialized (
  select h.* from holds h
  left join notices n on n.owner = h.owner and n.kind = '${kind}' and n.subject = h.subject and n.closed_at is null
  where n.id is null or n.ended_at is not null or n.level <> h.level or n.figures <> h.figures
),
raised as (
  insert into notices as n (owner, kind, subject, account_id, level, since, figures)
  select owner, '${kind}', subject, account_id, level, since, figures from fresh order by owner, subject
  on conflict (owner, kind, subject) where closed_at is null
  do update set ended_at = null, level = excluded.level, figures = excluded.figures
  returning n.id
),
ended as (
  update notices n set ended_at = now()
  where n.kind = '${kind}' and n.closed_at is null and n.ended_at is null
    and not exists (select from holds h where h.owner = n.owner and h.subject = n.subject)
  returning n.id
)
select (select count(*)::int from raised) as raised, (select count(*)::int from ended) as ended`;
}
