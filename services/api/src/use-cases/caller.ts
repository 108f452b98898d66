import type { KeyRecord } from '@mediagate/billing';
import { type Family, GatewayError, message } from '@mediagate/contracts';

/** Who calls: the key's row without its money, which is never remembered. */
export type Caller = Omit<KeyRecord, 'quotaNano'>;

/** @throws GatewayError `permission` when the key is limited to other families. */
export function requireFamily(caller: Caller, family: Family): void {
  if (caller.families.length > 0 && !caller.families.includes(family)) {
    throw new GatewayError('permission', message('family_forbidden', { family }));
  }
}

/** @throws GatewayError `permission` when the key is limited to other models. */
export function requireModel(caller: Caller, modelId: string): void {
  if (caller.models.length > 0 && !caller.models.includes(modelId)) {
    throw new GatewayError('permission', message('model_forbidden', { model: modelId }));
  }
}
