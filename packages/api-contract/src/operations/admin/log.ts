import { OPERATOR_ROLES } from '@mediagate/contracts';
import type { JsonSchema, Operation } from '../../operation';
import { anyObject, anyWord, json, object, oneOf, page, string, unixSeconds, wrapped } from '../../schemas/build';
import { CURSOR, LIMIT, time } from '../access';
import { READ } from './access';

const state = (description: string): JsonSchema => ({
  type: ['object', 'null'],
  additionalProperties: true,
  description,
});
const entry = object({
  id: string(),
  created: unixSeconds('When it was done'),
  actor: string('`operator:<id of the token>`, `cli:<user>`, or `key:<id>`, of a caller.'),
  actor_name: {
    type: ['string', 'null'],
    description:
      'The e-mail address of the user behind it, else the name of the token or key, or who ran the command line. Null: it has none.',
  },
  action: string('For example `account.suspend`.'),
  subject: string('Id of what was changed.'),
  subject_kind: anyWord(
    [
      'account',
      'key',
      'task',
      'attempt',
      'delivery',
      'channel',
      'price',
      'audit',
      'notice_target',
      'notice_settings',
      'operator',
      'user',
      'database',
      'callback',
      'secret',
      'file',
    ],
    'What it is the id of; of a price the billing key.',
  ),
  reason: { type: ['string', 'null'] },
  before: state('State before the change, as its own route shows it; null: there was none, or it was not kept.'),
  after: state('State after the change. A booking has the `entry` of the ledger; a price of `file` is null.'),
  'detail?': anyObject('What else was kept.'),
});

/** Operations that show the operator who asks, and the log of changes. */
export const LOG_OPERATIONS = {
  adminGetOperator: {
    ...READ,
    path: '/admin/v1/operator',
    summary: 'Read who the token belongs to',
    answers: {
      200: {
        description: 'The operator.',
        content: json(wrapped(object({ id: string(), name: string(), role: oneOf(OPERATOR_ROLES) }))),
      },
    },
  },
  adminListActions: {
    ...READ,
    path: '/admin/v1/actions',
    summary: 'List changes, and who made them',
    description:
      'The newest first. Entries are never changed nor removed. A page may have fewer entries than `limit`, or none, while `has_more` is true.',
    parameters: [
      LIMIT,
      CURSOR,
      {
        in: 'query',
        name: 'subject',
        description:
          'The id of an account, key, task, attempt, delivery, channel, audit or operator, a billing key or the name of a secret: what was done to it alone.',
        schema: { type: 'string' },
      },
      {
        in: 'query',
        name: 'actor',
        description: 'Only changes by this actor, written as in `actor`.',
        schema: { type: 'string' },
      },
      { in: 'query', name: 'action', description: 'What was done, as `action` says it.', schema: { type: 'string' } },
      time('created_after', 'Done then or later.'),
      time('created_before', 'Done before then, or by the end of that day.'),
    ],
    answers: { 200: { description: 'A page of entries.', content: json(page(entry)) } },
  },
} satisfies Record<string, Operation>;
