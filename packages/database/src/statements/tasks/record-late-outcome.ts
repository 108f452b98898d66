import type { Usage } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface LateOutcome {
  usage: Usage | undefined;
  /** The upstream's id of a job that it accepted after all. */
  externalId: string | undefined;
  detail: string;
}

export const recordLateOutcome: Statement<[attemptId: string, late: LateOutcome], object> = {
  text: `
update task_attempts a set usage = coalesce($2::jsonb, a.usage), external_id = coalesce(a.external_id, $3),
  detail = left(concat_ws('; ', a.detail, 'late: ' || $4), 500)
where a.id = $1 and a.state = 'unknown'`,
  values: (attemptId, { usage, externalId, detail }) => [
    attemptId,
    usage === undefined ? null : JSON.stringify(usage),
    externalId ?? null,
    detail,
  ],
};
