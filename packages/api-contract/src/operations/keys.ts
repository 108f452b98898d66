import type { Operation } from '../operation';
import { json, object, page, ref, wrapped } from '../schemas/build';
import { KEY_EXAMPLE, KEY_FIELDS, NEW_KEY_FIELDS } from '../schemas/keys';
import { CURSOR, LIMIT, QUERY, SUBMIT } from './access';
import { CHANGE_KEY } from './admin/access';

const query = { ...QUERY, tag: 'Keys', scope: 'own', manages: true } as const;
const command = { ...SUBMIT, tag: 'Keys', scope: 'own', manages: true } as const;
const oneKey = { ...command, path: '/v1/keys/{key_id}', refusals: [404] } as const;

/** Keys that a key with the right `manage` makes. */
export const KEY_OPERATIONS = {
  createKey: {
    ...command,
    path: '/v1/keys',
    summary: 'Create a key',
    description:
      'The new key belongs to the same account. It never has more than the key that makes it, spends from that key’s quota too, and ends with it. It cannot make keys itself. The answer is the only one that shows the key: one that comes again under the same `Idempotency-Key` is without it. Then revoke it and make another.',
    parameters: [CHANGE_KEY],
    body: { content: json(object(NEW_KEY_FIELDS), { name: 'website', quota: 25, families: ['image'] }) },
    answers: {
      200: {
        description: 'The key.',
        content: json(wrapped(ref('ApiKey')), {
          code: 200,
          data: { ...KEY_EXAMPLE, key: `mg_8h2k4m6n0pqr_${'0123456789abcdef'.repeat(4)}` },
        }),
      },
    },
    refusals: [409],
  },
  listKeys: {
    ...query,
    path: '/v1/keys',
    summary: 'List the keys of the account',
    description:
      'The newest first, without their secrets; those of other makers, too, but where the calling key has the scope `own`: itself, then, and those that it made.',
    parameters: [
      LIMIT,
      CURSOR,
      {
        in: 'query',
        name: 'revoked',
        description: '`true`: those that were revoked, in place of the others.',
        schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
      },
    ],
    answers: { 200: { description: 'A page of keys.', content: json(page(ref('ApiKey'))) } },
  },
  updateKey: {
    ...oneKey,
    method: 'patch',
    summary: 'Change a key',
    description:
      'One that the calling key made. Fields that are absent stay as they are. The quota counts for the next submission, the rest within 5 seconds everywhere.',
    parameters: [CHANGE_KEY],
    refusals: [404, 409],
    body: { content: json(object(KEY_FIELDS), { quota: 50, expires_at: null }) },
    answers: {
      200: {
        description: 'The key as it is now.',
        content: json(wrapped(ref('ApiKey')), { code: 200, data: { ...KEY_EXAMPLE, quota: 50 } }),
      },
    },
  },
  revokeKey: {
    ...oneKey,
    method: 'delete',
    summary: 'Revoke a key',
    description:
      'One that the calling key made; for good. It submits nothing more from now on, and reads nothing more after 5 seconds. Its tasks go on and are settled. Revoking it again changes nothing and is 200: the record stays, with `revoked_at`.',
    answers: {
      200: {
        description: 'The key as it was when it was revoked.',
        content: json(wrapped(ref('ApiKey')), { code: 200, data: { ...KEY_EXAMPLE, revoked_at: 1_790_000_060 } }),
      },
    },
  },
} satisfies Record<string, Operation>;
