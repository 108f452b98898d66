import { type Family, GatewayError, message } from '@mediagate/contracts';
import type { KeyRecord } from '@mediagate/identity';
import type { FindModels } from '../offered-models';

/** The key that calls: its row without its money, which is never remembered. */
export type Caller = Omit<KeyRecord, 'quotaNano'>;

/** @throws GatewayError `permission` when the key, or the one that made it, is limited to other families. */
export function requireFamily({ families, maker }: Caller, family: Family): void {
  if (allows(families, family) && allows(maker?.families, family)) return;
  throw new GatewayError('permission', message('family_forbidden', { family }), { reason: 'key_not_permitted' });
}

/** @throws GatewayError `permission` when the key, or the one that made it, is limited to other models. */
export function requireModel({ models, maker }: Caller, modelId: string): void {
  if (allows(models, modelId) && allows(maker?.models, modelId)) return;
  const about = message('model_forbidden', { model: modelId });
  throw new GatewayError('permission', about, { reason: 'key_not_permitted', param: 'model' });
}

/** @throws GatewayError `permission` when the key has no right to manage. */
export function requireManage({ canManage }: Caller): void {
  if (!canManage) throw new GatewayError('permission', message('manage_forbidden'), { reason: 'key_not_permitted' });
}

/** @throws GatewayError `permission` when the key sees only a part of its account. */
export function requireWholeAccount({ ownKeyId }: Pick<Caller, 'ownKeyId'>): void {
  if (ownKeyId !== null)
    throw new GatewayError('permission', message('scope_forbidden'), { reason: 'key_not_permitted' });
}

/** @throws GatewayError `permission` when the account is suspended or closed. */
export function requireActive({ accountState: state }: Pick<Caller, 'accountState'>): void {
  if (state !== 'active') throw inactive(`account_${state}`);
}

export function inactive(reason: 'account_suspended' | 'account_closed'): GatewayError {
  return new GatewayError('permission', message(reason), { reason });
}

/** @throws GatewayError `invalid_request` when the key is of tests, and no channel of tests serves the family. */
export function requireTestChannel(caller: Caller, family: Family, models: FindModels): void {
  if (!caller.isTest || models(caller).families.has(family)) return;
  throw new GatewayError('invalid_request', message('no_test_channel', { family }), { reason: 'test_unavailable' });
}

function allows(names: readonly string[] = [], name: string): boolean {
  return names.length === 0 || names.includes(name);
}
