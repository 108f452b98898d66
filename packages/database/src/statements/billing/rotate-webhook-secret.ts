import type { Statement } from '../../statement';

export interface SecretRotation {
  accountId: string;
  secret: string;
  /** How long the secret before signs beside it. */
  overlapMs: number;
}

/** No row: there is no such account. */
export const rotateWebhookSecret: Statement<[rotation: SecretRotation], { id: string }> = {
  text: `
update accounts
set previous_webhook_secret = webhook_secret, webhook_secret = $2,
  webhook_secret_retires_at = now() + $3::float8 * interval '1 millisecond'
where id = $1
returning id`,
  values: ({ accountId, secret, overlapMs }) => [accountId, secret, overlapMs],
};
