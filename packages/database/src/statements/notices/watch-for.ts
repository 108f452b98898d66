import type { Statement } from '../../statement';

/** The owner of operators' notices, in place of an account. */
export const OPERATORS = 'operators';

/** The settings of operators: one row, of nulls where they have set nothing. */
export const OF_OPERATORS = `
of_operators as (select s.* from (select) one left join notice_settings s on s.owner = '${OPERATORS}')`;

/** A notice `n` about an account that is suspended or closed. */
export const IS_OF_INACTIVE = `exists (select from accounts a where a.id = n.account_id and a.state <> 'active')`;

export interface Watched {
  /** Notices that are new, stand again, or have other figures. */
  raised: number;
  /** Notices whose condition holds no more. */
  ended: number;
}

/**
 * A statement that compares the open notices of a kind with what holds now. Rows that are as they should be are not touched, so that
 * a look at thousands of them writes nothing.
 *
 * Notices of an account that is not active do not end: nobody looks at it.
 *
 * @param holding CTEs of which one is `holds`, with the columns `owner`, `subject`, `account_id`, `level`, `since` and `figures`.
 */
export function watchFor(kind: string, holding: string): Statement<number[][], Watched>['text'] {
  return `
with ${holding.trim()},
${raising(kind)},
ended as (
  update notices n set ended_at = now()
  where ${isOpen(kind)} and ${HOLDS_NO_MORE} and not ${IS_OF_INACTIVE}
  returning n.id
)
select ${RAISED}, (select count(*)::int from ended) as ended`;
}

/** As `watchFor`, of a kind whose notices another statement ends. */
export function raiseFor(kind: string, holding: string): Statement<number[], Pick<Watched, 'raised'>>['text'] {
  return `
with ${holding.trim()},
${raising(kind)}
select ${RAISED}`;
}

/** A notice `n` of that kind that stands. */
export const isOpen = (kind: string): string => `n.kind = '${kind}' and n.closed_at is null and n.ended_at is null`;
export const HOLDS_NO_MORE = 'not exists (select from holds h where h.owner = n.owner and h.subject = n.subject)';
const RAISED = '(select count(*)::int from raised) as raised';

const raising = (kind: string): string =>
  `
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
)`.trim();
