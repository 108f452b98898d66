import type { RotationOutcome, SecretChange, WebhookSecret } from '@mediagate/callbacks';
import { GatewayError, message } from '@mediagate/contracts';

export interface RotateSecretDeps {
  /** @throws where the account has made too many changes today. */
  countChange(accountId: string): Promise<void>;
  rotate(accountId: string, change: SecretChange): Promise<RotationOutcome | undefined>;
}

/** @throws (the function it returns) GatewayError `conflict` while the secrets of the rotation before are both valid. */
export function createRotateWebhookSecret({ countChange, rotate }: RotateSecretDeps) {
  return async (accountId: string, change: SecretChange): Promise<WebhookSecret> => {
    await countChange(accountId);
    const outcome = await rotate(accountId, change);
    if (!outcome) throw new Error('an account whose key was let in is gone');
    if (outcome.kind === 'rotated') return outcome;
    const { until } = outcome;
    throw new GatewayError('conflict', message('secret_overlapping', { time: until.toISOString() }), {
      reason: 'secret_overlapping',
      figures: { previous_valid_until: Math.floor(until.getTime() / 1000) },
    });
  };
}
