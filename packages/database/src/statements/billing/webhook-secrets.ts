import type { Statement } from '../../statement';

/** The secret before signs, too. */
const IS_OVERLAPPING = `(a.previous_webhook_secret is not null and a.webhook_secret_retires_at > now())`;

export interface WebhookSecretsRow {
  secret: string;
  /** Null, as its end: it signs no longer. */
  previous: string | null;
  previousValidUntil: Date | null;
}

/** No row: there is no such account. */
export const readWebhookSecrets: Statement<[accountId: string], WebhookSecretsRow> = {
  text: `
select a.webhook_secret as "secret", case when ${IS_OVERLAPPING} then a.previous_webhook_secret end as "previous",
  case when ${IS_OVERLAPPING} then a.webhook_secret_retires_at end as "previousValidUntil"
from accounts a where a.id = $1`,
  values: (accountId) => [accountId],
};

export interface SecretRotation {
  accountId: string;
  secret: string;
  /** How long the secret before signs beside it; 0: it ends at once, and so does one that is in overlap. */
  overlapMs: number;
  /** The actor for the audit log. */
  actor: string;
}

export interface RotatedRow {
  /** False: two secrets are valid already, and an overlap was asked for. */
  rotated: boolean;
  previousValidUntil: Date | null;
}

/** No row: there is no such account. */
export const rotateWebhookSecret: Statement<[rotation: SecretRotation], RotatedRow> = {
  text: `
with before as (
  select a.id, ${IS_OVERLAPPING} as overlapping, case when ${IS_OVERLAPPING} then a.webhook_secret_retires_at end as ends_at
  from accounts a where a.id = $1 for update
),
rotated as (
  update accounts a
  set webhook_secret = $2, previous_webhook_secret = case when $3::float8 > 0 then a.webhook_secret end,
    webhook_secret_retires_at = case when $3::float8 > 0 then now() + $3::float8 * interval '1 millisecond' end
  from before b where a.id = b.id and (not b.overlapping or $3::float8 = 0)
  returning a.id, a.webhook_secret_retires_at as ends_at
),
noted as (
  insert into audit_log (actor, action, subject, detail)
  select $4, 'account.rotate_secret', r.id, jsonb_build_object('overlap_seconds', $3::float8 / 1000,
    'before', jsonb_build_object('previous_valid_until', b.ends_at), 'after', jsonb_build_object('previous_valid_until', r.ends_at))
  from rotated r join before b on b.id = r.id
)
select r.id is not null as rotated, case when r.id is null then b.ends_at else r.ends_at end as "previousValidUntil"
from before b left join rotated r on r.id = b.id`,
  values: ({ accountId, secret, overlapMs, actor }) => [accountId, secret, overlapMs, actor],
};
