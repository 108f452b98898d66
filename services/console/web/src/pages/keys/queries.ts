import { change } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';

export type ApiKey = components['schemas']['ApiKey'];
export type KeyFields = components['schemas']['Bodies']['createKey'];

/** All lists of keys are asked for again after a change. */
export const KEYS = ['keys'];

interface KeyAnswer {
  data: ApiKey;
}

/** The answer alone has the secret. */
export async function createKey(fields: KeyFields): Promise<ApiKey> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  return (await change<KeyAnswer>('POST', '/v1/keys', fields, headers)).data;
}

/** The mode is for good. */
export async function changeKey(id: string, { mode: _mode, ...fields }: KeyFields): Promise<ApiKey> {
  return (await change<KeyAnswer>('PATCH', `/v1/keys/${id}`, fields)).data;
}

export async function revokeKey(id: string): Promise<void> {
  await change('DELETE', `/v1/keys/${id}`);
}
