import type { TaskId } from '@mediagate/contracts';
import { change, noteOf, withNote } from '../identity/note';
import { IS_OPEN } from './task-row';

/**
 * Due at once. No row: there is no such task, it has ended or is overdue, or its own submitter runs it. `after` has what it takes
 * to enqueue it.
 */
export const retryTask = change<[id: TaskId]>({
  text: withNote(`
old as materialized (
  select t.id, t.failed_steps, greatest(extract(epoch from t.lease_until - now()) * 1000, 0)::float8 as lease_ms
  from tasks t
  where t.id = $2 and ${IS_OPEN} and not t.run_by_submitter and t.deadline_at > now() for update
),
new as (
  update tasks t set next_step_at = now(), failed_steps = 0, woken_at = null, awaits_key_slot = false from old where t.id = old.id
  returning t.id, t.family, t.fence, t.failed_steps, coalesce(old.lease_ms, 0) as lease_ms
),
changed as (
  select new.id as subject, jsonb_build_object('failed_steps', old.failed_steps) as before, to_jsonb(new) - 'id' as after
  from new join old on old.id = new.id
)`),
  values: (id, request) => [noteOf('task.retry', request), id],
});
