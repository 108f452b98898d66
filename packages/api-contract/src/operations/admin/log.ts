import { OPERATOR_ROLES } from '@mediagate/contracts';
import type { Operation } from '../../operation';
import { anyObject, json, object, oneOf, page, string, unixSeconds, wrapped } from '../../schemas/build';
import { CURSOR, LIMIT } from '../access';
import { READ } from './access';

const entry = object({
  id: string(),
  created: unixSeconds('When it was done'),
  actor: string('`operator:<id of the token>`, `cli:<user>`, or `account:<id>`.'),
  action: string('For example `account.suspend`.'),
  subject: string('Id of what was changed.'),
  detail: anyObject('`before` and `after`: the row, with amounts in billionths of a currency unit; `reason`.'),
});

/** Who asks, and what was done. */
export const LOG_OPERATIONS = {
  adminGetOperator: {
    ...READ,
    path: '/admin/v1/operator',
    summary: 'Read whose token it is',
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
    summary: 'List what operators did',
    description: 'The newest first. Entries are never changed nor removed.',
    parameters: [
      LIMIT,
      CURSOR,
      {
        in: 'query',
        name: 'subject',
        description: 'The id of an account, key, task, delivery or channel: what was done to it alone.',
        schema: { type: 'string' },
      },
    ],
    answers: { 200: { description: 'A page of entries.', content: json(page(entry)) } },
  },
} satisfies Record<string, Operation>;
