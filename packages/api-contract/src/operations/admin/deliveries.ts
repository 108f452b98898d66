import { DELIVERY_STATES } from '@mediagate/contracts';
import type { Operation } from '../../operation';
import { json, object, page, ref, string, wrapped } from '../../schemas/build';
import { REDELIVERED, REDELIVERY_FIELDS } from '../../schemas/webhooks';
import { CURSOR, LIMIT } from '../access';
import { CHANGE, READ, REASON } from './access';

const filter = (name: string, description: string, schema: object = {}) =>
  ({ in: 'query', name, description, schema: { type: 'string', ...schema } }) as const;
const change = { ...CHANGE, role: 'support', refusals: [404, 409] } as const;
const reason = { body: { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'ticket 4711' }) } };
const delivery = json(wrapped(ref('OperatorDelivery')));

export const DELIVERY_OPERATIONS = {
  adminListDeliveries: {
    ...READ,
    path: '/admin/v1/deliveries',
    summary: 'List callbacks',
    description:
      'Callbacks of all accounts, those of the newest tasks first. A page may have fewer than `limit`, or none, while `has_more` is true.',
    parameters: [
      LIMIT,
      CURSOR,
      filter('account_id', 'Only for this account.'),
      filter('task_id', 'Only for this task.'),
      filter('state', 'Only in this state.', { enum: DELIVERY_STATES }),
    ],
    answers: { 200: { description: 'A page of callbacks.', content: json(page(ref('OperatorDelivery'))) } },
  },
  adminRedeliverMany: {
    ...change,
    path: '/admin/v1/deliveries/redeliver',
    summary: 'Send many ended callbacks again',
    description:
      'Callbacks in a state, or of the tasks that are named, those of the newest tasks first, in one statement with one entry in the audit log. They are due at once and sent in turns, a few at a time to one host. While `has_more` is true, go on with `cursor`.',
    body: {
      content: json(
        object({ 'account_id?': string('Only for this account.'), ...REDELIVERY_FIELDS, 'reason?': REASON }),
        {
          state: 'exhausted',
          created_after: '2026-11-22',
          reason: 'the receiver was down',
        },
      ),
    },
    answers: { 202: { description: 'They are due.', content: REDELIVERED } },
    refusals: [409],
  },
  adminRedeliver: {
    ...change,
    ...reason,
    path: '/admin/v1/deliveries/{delivery_id}/redeliver',
    summary: 'Send an ended callback again',
    description: 'The same bytes are sent, due at once and with the full retry schedule.',
    answers: { 200: { description: 'The callback, which is due.', content: delivery } },
  },
  adminCancelDelivery: {
    ...change,
    ...reason,
    path: '/admin/v1/deliveries/{delivery_id}/cancel',
    summary: 'End a pending callback',
    description: 'It is `dropped` with the reason `cancelled_by_operator`, and may be sent again.',
    answers: { 200: { description: 'The callback, which has ended.', content: delivery } },
  },
} satisfies Record<string, Operation>;
