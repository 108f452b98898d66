import type { Operation } from '../operation';
import { boolean, integer, json, listOf, object, ref, string, unixSeconds, wrapped } from '../schemas/build';
import { REDELIVERED, REDELIVERY_FIELDS } from '../schemas/webhooks';
import { QUERY, SUBMIT } from './access';
import { CHANGE_KEY } from './admin/access';

const query = { ...QUERY, tag: 'Callbacks', scope: 'own' } as const;
const command = { ...SUBMIT, tag: 'Callbacks', scope: 'own' } as const;

const secret = wrapped(
  object({
    secret: string('`whsec_` and 32 bytes in base64.'),
    previous_valid_until: {
      ...unixSeconds('Time until which callbacks are also signed by the previous secret; null: they are not'),
      type: ['integer', 'null'],
    },
  }),
);
const SECRET_EXAMPLE = {
  code: 200,
  data: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previous_valid_until: null },
};

/** Bounds of an overlap of two secrets, and what it is unless the caller says. */
export const OVERLAP_SECONDS = { minimum: 0, maximum: 604_800, default: 86_400 } as const;

/** How callbacks went, and what makes them trustworthy. */
export const WEBHOOK_OPERATIONS = {
  listDeliveries: {
    ...query,
    path: '/v1/tasks/{id}/deliveries',
    summary: 'List the callbacks of a task',
    description: 'One delivery, once the task has ended; none before, and none without `webhook`.',
    answers: { 200: { description: 'The delivery.', content: json(wrapped(listOf(ref('Delivery')))) } },
    refusals: [404],
  },
  redeliver: {
    ...command,
    path: '/v1/tasks/{id}/redeliver',
    summary: 'Send a task’s callback again',
    description:
      'The same bytes under the same `webhook-id`, by the full schedule, due at once. Refused while the callback is still on its way, and beyond 20 times on one day of UTC.',
    parameters: [CHANGE_KEY],
    answers: {
      202: {
        description: 'It is due.',
        content: json(object({ code: { const: 202 }, data: ref('Delivery') })),
      },
    },
    refusals: [404, 409],
  },
  redeliverMany: {
    ...command,
    path: '/v1/webhooks/redeliver',
    summary: 'Send callbacks again',
    description:
      'Callbacks of tasks that the key sees: those in a state, or those that are named, of the newest tasks first: the same bytes under the same `webhook-id`, by the full schedule. They are due at once and sent in turns, a few at a time to one host. Those that were sent again 20 times on this day of UTC are left out. While `has_more` is true, go on with `cursor`.',
    parameters: [CHANGE_KEY],
    body: { content: json(object(REDELIVERY_FIELDS), { state: 'exhausted', created_after: '2026-11-22' }) },
    answers: { 202: { description: 'They are due.', content: REDELIVERED } },
    refusals: [409],
  },
  testWebhook: {
    ...command,
    path: '/v1/webhooks/test',
    summary: 'Send a test callback',
    description:
      'Judged, signed and sent as the real one, once, to `url` with `/callback` behind its path. Its body is the record of a task that is none, with `test: true`.',
    body: {
      content: json(object({ url: string('A URL, with the rules of `webhook` of a submission.') }), {
        url: 'https://example.com/hooks',
      }),
    },
    answers: {
      200: {
        description: 'What came of it.',
        content: json(
          wrapped(
            object({
              delivered: boolean(),
              status: { ...integer('HTTP status of the answer; null: there was none.'), type: ['integer', 'null'] },
              error: {
                ...string('Why it is not delivered: `http_500`, or a word and what it means; null: it is.'),
                type: ['string', 'null'],
              },
              duration_ms: integer('0: nothing was sent.'),
            }),
          ),
          { code: 200, data: { delivered: true, status: 204, error: null, duration_ms: 61 } },
        ),
      },
    },
  },
  getWebhookSecret: {
    ...query,
    scope: 'account',
    manages: true,
    path: '/v1/webhooks/secret',
    summary: 'Read the secret that signs callbacks',
    description:
      'One for all keys of the account. For keys with the right `manage`: who has the secret can sign callbacks.',
    answers: { 200: { description: 'The secret.', content: json(secret, SECRET_EXAMPLE) } },
  },
  rotateWebhookSecret: {
    ...command,
    scope: 'account',
    manages: true,
    path: '/v1/webhooks/secret/rotate',
    summary: 'Replace the secret that signs callbacks',
    description:
      'Callbacks carry a signature by each of the two until the overlap ends. Until then it is refused with 409, unless `overlap_seconds` is 0: then every earlier secret ends at once.',
    body: {
      optional: true,
      content: json(
        object({
          'overlap_seconds?': {
            type: 'integer',
            ...OVERLAP_SECONDS,
            description: 'How long the secret before stays valid.',
          },
        }),
        { overlap_seconds: 86_400 },
      ),
    },
    answers: { 200: { description: 'The new secret.', content: json(secret, SECRET_EXAMPLE) } },
    refusals: [409],
  },
} satisfies Record<string, Operation>;
