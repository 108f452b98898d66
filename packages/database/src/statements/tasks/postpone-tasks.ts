import type { JsonObject, Pending } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { Claim } from './claim';
import { HELD_BY_ITEMS } from './held-by-items';

export interface Postponed {
  phase: Pending['phase'];
  progress: number | undefined;
  operation: JsonObject | undefined;
  nextStepInMs: number;
  /** This step found nothing out (an unreadable answer, a network fault). A good check starts the count anew. */
  failedStep: boolean;
}

export type TaskToPostpone = Postponed & { task: Claim };

/** Puts off the next step. A row for each task whose claim held. */
export const postponeTasks: Statement<[items: readonly TaskToPostpone[]], { id: string }> = {
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::float8[], $4::text[], $5::int[], $6::text[], $7::boolean[])
    as i(task_id, fence, next_step_in_ms, phase, progress, operation, failed_step)
),
held as materialized (${HELD_BY_ITEMS})
update tasks t set lease_until = null, next_step_at = now() + make_interval(secs => h.next_step_in_ms / 1000),
  parked = h.phase = 'parked', status = case when h.phase = 'running' then 'processing' else t.status end,
  progress = greatest(t.progress, least(h.progress, 99)),
  upstream_operation = coalesce(h.operation::jsonb, t.upstream_operation),
  failed_steps = case when h.failed_step then t.failed_steps + 1
    when t.attempt_state = 'accepted' then 0 else t.failed_steps end,
  lost_steps = 0
from held h
where t.id = h.id and h.present_fence = h.fence
returning t.id`,
  values: (items) => [
    items.map(({ task }) => task.id),
    items.map(({ task }) => task.fence),
    items.map(({ nextStepInMs }) => nextStepInMs),
    items.map(({ phase }) => phase),
    items.map(({ progress }) => progress ?? 0),
    items.map(({ operation }) => (operation === undefined ? null : JSON.stringify(operation))),
    items.map(({ failedStep }) => failedStep),
  ],
};
