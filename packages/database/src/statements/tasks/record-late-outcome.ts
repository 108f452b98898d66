import type { Usage, VendorCost } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface LateOutcome {
  usage: Usage | undefined;
  cost: VendorCost | undefined;
  /** The upstream's id of a job that it accepted after all. */
  externalId: string | undefined;
  detail: string;
}

/** What the vendor charges is the task's cost from then on, unless an operator has said what it is. */
export const recordLateOutcome: Statement<[attemptId: string, late: LateOutcome], object> = {
  text: `
with late as (
  update task_attempts a set usage = coalesce($2::jsonb, a.usage), external_id = coalesce(a.external_id, $3),
    detail = left(concat_ws('; ', a.detail, 'late: ' || $4), 500),
    cost_nano = case when a.resolution is null then coalesce($5::bigint, a.cost_nano) else a.cost_nano end,
    cost_origin = case when a.resolution is null then coalesce($6, a.cost_origin) else a.cost_origin end
  where a.id = $1 and a.state = 'unknown'
  returning a.task_id, a.cost_nano
)
update reservations r set cost_nano = late.cost_nano from late where r.task_id = late.task_id and r.state <> 'held'`,
  values: (attemptId, { usage, cost, externalId, detail }) => [
    attemptId,
    usage === undefined ? null : JSON.stringify(usage),
    externalId ?? null,
    detail,
    cost?.nano ?? null,
    cost?.origin ?? null,
  ],
};
