import type { Statement } from '../../statement';
import { beforeMs, idBeforeMs } from './after-ms';

/**
 * Removes ended tasks with their labels, attempts and deliveries. Ids sort by the time they were made, so the primary key finds the
 * old ones; the clock of a process made the id, so the row must be as old by the database's clock, too. Reservations and ledger entries stay:
 * they are the books. So do tasks whose callback is still on its way.
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
  delete from task_labels l using old cross join lateral task_label_hashes(old.metadata) as h(label_hash)
  where l.account_id = old.account_id and l.label_hash = h.label_hash and l.task_id = old.id
),
attempts as (delete from task_attempts a using old where a.task_id = old.id),
deliveries as (
  delete from webhook_deliveries d using old where d.task_id = old.id returning d.id
),
delivery_attempts as (delete from webhook_attempts w using deliveries where w.delivery_id = deliveries.id)
delete from tasks t using old where t.id = old.id returning t.id`,
  values: (olderThanMs, limit) => [olderThanMs, limit],
};
