import type { Statement } from '../../statement';
import { beforeMs, idBeforeMs } from './after-ms';

/**
 * Removes ended tasks with their labels, attempts and deliveries. Ids sort by the time they were made, so the primary key finds the
 * old ones; the clock of a process made the id, so the row must be as old by the database's clock, too. Reservations and ledger entries stay:
 * they are the books. So do tasks whose callback is still on its way.
 *
 * Arrays name the rows that go, because every plan expects few of an array: a plan that is made once expects a tenth of all tasks of a limit
 * that it does not know, and would read the tables from end to end. Each label is looked up by its whole key: by its account and task, without its hash
 * between them, all labels of the account were read for each task.
 */
export const pruneTasks: Statement<[olderThanMs: number, limit: number], { id: string }> = {
  text: `
with old as materialized (
  select t.id, t.account_id, t.metadata from tasks t
  where t.id < 'task_' || ${idBeforeMs('$1')} and t.created_at < ${beforeMs('$1')} and t.status in ('completed', 'failed')
    and not exists (select 1 from webhook_deliveries d where d.task_id = t.id and d.state = 'pending')
  order by t.id limit $2 for update of t skip locked
),
labels as (
  delete from task_labels where ctid = any(array(
    select l.ctid from old cross join lateral task_label_hashes(old.metadata) as h(label_hash) cross join lateral (
      select l.ctid from task_labels l
      where l.account_id = old.account_id and l.label_hash = h.label_hash and l.task_id = old.id offset 0
    ) l
  ))
),
attempts as (delete from task_attempts a where a.task_id = any(array(select id from old))),
deliveries as (
  delete from webhook_deliveries d where d.task_id = any(array(select id from old)) returning d.id
),
delivery_attempts as (delete from webhook_attempts w where w.delivery_id = any(array(select id from deliveries)))
delete from tasks t where t.id = any(array(select id from old)) returning t.id`,
  values: (olderThanMs, limit) => [olderThanMs, limit],
};
