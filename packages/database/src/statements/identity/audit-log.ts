import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface AuditEntry {
  actor: string;
  /** For example `account.top_up`. */
  action: string;
  subject: string;
  detail: JsonObject;
}

export const noteAction: Statement<[entry: AuditEntry], { id: bigint }> = {
  text: `insert into audit_log (actor, action, subject, detail) values ($1, $2, $3, $4::jsonb) returning id`,
  values: ({ actor, action, subject, detail }) => [actor, action, subject, JSON.stringify(detail)],
};

export interface ActionEnd {
  id: bigint | undefined;
  subject: string;
  outcome: 'done' | 'refused';
}

export const concludeAction: Statement<[end: ActionEnd], object> = {
  text: `update audit_log set subject = $2, detail = detail || jsonb_build_object('outcome', $3::text) where id = $1`,
  values: ({ id, subject, outcome }) => [id, subject, outcome],
};
