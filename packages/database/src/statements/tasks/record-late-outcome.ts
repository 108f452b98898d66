import type { Usage, VendorCost } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { repriced } from '../billing/correct-usage';

export interface LateOutcome {
  usage: Usage | undefined;
  cost: VendorCost | undefined;
  /** The upstream's id of a job that it accepted after all. */
  externalId: string | undefined;
  detail: string;
}

/** Records a late outcome: the vendor's charge is the task's cost from then on, unless an operator has set that. */
export const recordLateOutcome: Statement<[attemptId: string, late: LateOutcome], object> = {
  text: `
with late as (
  update task_attempts a set usage = coalesce($2::jsonb, a.usage), external_id = coalesce(a.external_id, $3),
    detail = left(concat_ws('; ', a.detail, 'late: ' || $4), 500),
    cost_nano = case when a.resolution is null then coalesce($5::bigint, a.cost_nano) else a.cost_nano end,
    cost_origin = case when a.resolution is null then coalesce($6, a.cost_origin) else a.cost_origin end
  where a.id = $1 and a.state = 'unknown'
  returning a.task_id, a.cost_nano
),${repriced('late')}
select from late`,
  values: (attemptId, { usage, cost, externalId, detail }) => [
    attemptId,
    usage === undefined ? null : JSON.stringify(usage),
    externalId ?? null,
    detail,
    cost?.nano ?? null,
    cost?.origin ?? null,
  ],
};
