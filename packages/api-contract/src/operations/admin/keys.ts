import type { Operation } from '../../operation';
import { boolean, json, object, page, ref, string, wrapped } from '../../schemas/build';
import { KEY_FIELDS, NEW_KEY_FIELDS } from '../../schemas/keys';
import { CURSOR, LIMIT, time } from '../access';
import { CHANGE, READ, REASON } from './access';

/** A key spends its account's money: only its end is a matter of support. */
const oneKey = { ...CHANGE, role: 'billing' } as const;
const settings = { ...KEY_FIELDS, 'manage?': boolean('The right to make keys itself.'), 'reason?': REASON };
const onlyReason = { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'leaked' }) };
const key = json(wrapped(ref('ApiKey')));

/** Keys of any account. */
export const OPERATOR_KEY_OPERATIONS = {
  adminListKeys: {
    ...READ,
    path: '/admin/v1/keys',
    summary: 'List keys',
    description:
      'The newest first, without their secrets. A page may have fewer keys than `limit`, or none, while `has_more` is true.',
    parameters: [
      LIMIT,
      CURSOR,
      { in: 'query', name: 'account_id', description: 'Only for this account.', schema: { type: 'string' } },
      {
        in: 'query',
        name: 'id',
        description: 'This one alone: the 12 characters after `mg_`.',
        schema: { type: 'string' },
      },
      {
        in: 'query',
        name: 'revoked',
        description: '`true`: only revoked keys; `false`: only keys that are not revoked; absent: both.',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
      time('unused_since', 'Neither made nor used since, give or take a minute; with `id` it does not count.'),
    ],
    answers: { 200: { description: 'A page of keys.', content: json(page(ref('ApiKey'))) } },
  },
  adminCreateKey: {
    ...oneKey,
    path: '/admin/v1/keys',
    summary: 'Issue a key',
    description:
      'The answer is the only one that shows the key: one that comes again under the same `Idempotency-Key` is without it. Then revoke it and issue another.',
    body: {
      content: json(object({ account_id: string(), ...NEW_KEY_FIELDS, ...settings }), {
        account_id: 'acct_01m7y2sj24fztvyr284w6jthg6',
        name: 'website',
        quota: 25,
        families: ['image'],
      }),
    },
    answers: {
      201: { description: 'The key.', content: json(object({ code: { const: 201 }, data: ref('ApiKey') })) },
    },
  },
  adminUpdateKey: {
    ...oneKey,
    method: 'patch',
    path: '/admin/v1/keys/{key_id}',
    summary: 'Change a key’s quota, limits and permissions',
    description:
      'Fields that are absent stay as they are; null lifts a limit. The quota counts for the next submission, the rest within 5 seconds everywhere. 409 for a key that stands for a user of the console.',
    body: { content: json(object(settings), { quota: 50, expires_at: null }) },
    answers: { 200: { description: 'The key as it is then.', content: key } },
  },
  adminRotateKey: {
    ...oneKey,
    path: '/admin/v1/keys/{key_id}/rotate',
    summary: 'Give a key a new secret',
    description:
      'The key keeps its id, quota and history; the old secret ends within 5 seconds. Only this answer shows the new one. 409 for a key that stands for a user of the console.',
    body: onlyReason,
    answers: { 200: { description: 'The key.', content: key } },
  },
  adminRevokeKey: {
    ...oneKey,
    role: 'support',
    path: '/admin/v1/keys/{key_id}/revoke',
    summary: 'Revoke a key',
    description: 'The key and all keys that it made end permanently. Tasks that have begun go on and are settled.',
    body: onlyReason,
    answers: { 200: { description: 'The key as it was then.', content: key } },
  },
} satisfies Record<string, Operation>;
