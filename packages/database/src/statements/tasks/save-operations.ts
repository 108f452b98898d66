import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { Claim } from './claim';
import { HELD_BY_ITEMS } from './held-by-items';

export interface Accepted {
  attemptId: string;
  externalId: string;
  operation: JsonObject;
  requestIds: string[];
  nextStepInMs: number;
}

export type OperationToSave = Accepted & { task: Claim };

/** Saves the jobs that upstreams accepted. A row for each that was saved: its claim held. */
export const saveOperations: Statement<[items: readonly OperationToSave[]], { id: string }> = {
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::text[])
    as i(task_id, fence, attempt_id, external_id, operation, next_step_in_ms, request_ids)
),
held as materialized (${HELD_BY_ITEMS}),
task as (
  update tasks t set attempt_state = 'accepted', upstream_operation = h.operation::jsonb, lease_until = null,
    next_step_at = now() + make_interval(secs => h.next_step_in_ms / 1000), failed_steps = 0, lost_steps = 0
  from held h
  where t.id = h.id and h.present_fence = h.fence and t.attempt_id = h.attempt_id
  returning h.attempt_id, h.external_id, h.operation, h.request_ids
)
update task_attempts a set state = 'accepted', external_id = n.external_id, operation = n.operation::jsonb,
  request_ids = a.request_ids || array(select jsonb_array_elements_text(n.request_ids::jsonb))
from task n where a.id = n.attempt_id returning a.id`,
  values: (items) => [
    items.map(({ task }) => task.id),
    items.map(({ task }) => task.fence),
    items.map(({ attemptId }) => attemptId),
    items.map(({ externalId }) => externalId),
    items.map(({ operation }) => JSON.stringify(operation)),
    items.map(({ nextStepInMs }) => nextStepInMs),
    items.map(({ requestIds }) => JSON.stringify(requestIds)),
  ],
};
