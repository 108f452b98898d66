import { SECRET_NAME } from '@mediagate/contracts';
import type { Operation } from '../../operation';
import { json, listOf, object, ref, string, wrapped } from '../../schemas/build';
import { CHANGE, READ, REASON } from './access';

const ADMIN = { ...CHANGE, role: 'admin' } as const;

/** The keys of vendors that the database keeps. */
export const SECRET_OPERATIONS = {
  adminListSecrets: {
    ...READ,
    path: '/admin/v1/secrets',
    summary: 'List the vendors’ keys in the database',
    description: 'The list has names and never the keys themselves.',
    answers: { 200: { description: 'The secrets.', content: json(wrapped(listOf(ref('VendorSecret')))) } },
  },
  adminSetSecret: {
    ...ADMIN,
    path: '/admin/v1/secrets',
    summary: 'Set a vendor’s key',
    description:
      'Replaces the key of the same name. Channels refer to it as `api_key` of the configuration file does. It is kept sealed under `MEDIAGATE_SEALING_SECRET`, and no answer, log or audit log shows it. 409 where jobs are under way, with the secret of this name, at another host than the channels that name it lead to now: set the new key under another name.',
    body: {
      content: json(
        object({
          name: { type: 'string', pattern: `^${SECRET_NAME}$`, description: 'Your own name of it.' },
          value: string(
            'The key itself, up to 131,072 bytes in UTF-8. It has several lines where it is JSON, or PEM whose name begins with `signing.`.',
          ),
          'reason?': REASON,
        }),
        { name: 'images-second', value: 'the key of the vendor' },
      ),
    },
    answers: { 200: { description: 'What stands for it.', content: json(wrapped(ref('VendorSecret'))) } },
  },
  adminRemoveSecret: {
    ...ADMIN,
    path: '/admin/v1/secrets/{name}/remove',
    summary: 'Remove a vendor’s key',
    description: 'Channels that use it get no more tasks, and the jobs that they have accepted wait for it.',
    body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'no longer used' }) },
    answers: {
      200: {
        description: 'It is gone.',
        content: json(wrapped(object({ name: string(), removed: { const: true } }))),
      },
    },
    refusals: [404, 409],
  },
} satisfies Record<string, Operation>;
