/**
 * Selects how entries changed the sums of their account and key: a settlement ends the whole hold of its task. Reservations are looked up
 * one by one, whatever the planner believes.
 *
 * @param entries a table or CTE with the columns of `ledger_entries`, which is called `e`.
 */
export function movementsOf(entries: string): string {
  return `
  select e.account_id, e.key_id,
    case when e.kind in ('top_up', 'adjust') then e.amount_nano else 0 end as topped_up,
    case e.kind when 'hold' then e.amount_nano when 'settle' then -r.amount_nano when 'refund' then -e.amount_nano else 0 end as held,
    case e.kind when 'settle' then e.amount_nano else 0 end as settled
  from ${entries} e
  left join lateral (select amount_nano from reservations where task_id = e.task_id and e.kind = 'settle' offset 0) r on true`;
}
