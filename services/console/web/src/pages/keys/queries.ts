import { queryOptions } from '@tanstack/react-query';
import { type Answers, ask, change } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';
import type { RepeatKey } from '../../api/repeat-key.ts';

export type ApiKey = components['schemas']['ApiKey'];
export type KeyFields = components['schemas']['Bodies']['createKey'];

/** All lists of keys are asked for again after a change. */
export const KEYS = ['keys'];

interface KeyAnswer {
  data: ApiKey;
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/** What each key has spent in the last days, by its id. */
export const spentQuery = queryOptions({
  queryKey: ['usage', 'keys'],
  queryFn: async ({ signal }) => {
    const from = new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const query = { from, group_by: 'key' };
    const { data } = await ask<Answers['getUsage']>('/v1/usage', { query, signal });
    return new Map(data.map((group) => [group['key'], group.charged]));
  },
});

/** The answer alone has the secret. Sent again after an answer that was lost, it makes no second key. */
export async function createKey(fields: KeyFields, key: RepeatKey): Promise<ApiKey> {
  const headers = { 'Idempotency-Key': key.for(fields) };
  const { data } = await change<KeyAnswer>('POST', '/v1/keys', fields, headers);
  key.answered();
  return data;
}

/** The mode is for good. */
export async function changeKey(id: string, { mode: _mode, ...fields }: KeyFields): Promise<ApiKey> {
  return (await change<KeyAnswer>('PATCH', `/v1/keys/${id}`, fields)).data;
}

export async function revokeKey(id: string): Promise<void> {
  await change('DELETE', `/v1/keys/${id}`);
}
