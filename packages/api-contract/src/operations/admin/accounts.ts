import { PRIORITY_CLASSES } from '@mediagate/contracts';
import type { Operation } from '../../operation';
import { ACCOUNT_STATES, OWN_MARKS } from '../../schemas/account';
import { json, ledgerPage, number, object, oneOf, page, ref, string, wrapped } from '../../schemas/build';
import { MONTH } from '../../schemas/invoice';
import { CURSOR, EXCEL, LIMIT, TIMEZONE } from '../access';
import { AMOUNT, CHANGE, READ, REASON } from './access';

const account = json(wrapped(ref('Account')));
const afterwards = { 200: { description: 'The account as it is then.', content: account } };
const onlyReason = { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'unpaid invoice' }) };
const perMinute = (what: string) => ({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 1_000_000,
  description: `${what} a minute, of all its keys together; null: no limit but those of the keys.`,
});

const PRIORITY_CLASS = oneOf(
  PRIORITY_CLASSES,
  'How many of its tasks go on in a turn of those that wait beyond `DISPATCH_WINDOW`: 1, 3 (the default, `normal`) or 9.',
);

/** The account itself. */
const LIFE = {
  adminListAccounts: {
    ...READ,
    path: '/admin/v1/accounts',
    summary: 'Search accounts',
    description:
      'The newest first; those of a beginning of a name by name. A page may have fewer accounts than `limit`, or none, while `has_more` is true.',
    parameters: [
      LIMIT,
      CURSOR,
      {
        in: 'query',
        name: 'query',
        description: 'A part of its name, in any letter case, or how its id begins.',
        schema: { type: 'string' },
      },
      { in: 'query', name: 'state', description: 'Only in this state.', schema: oneOf(ACCOUNT_STATES) },
      {
        in: 'query',
        name: 'key_id',
        description: 'Only tasks of the key with this id of 12 characters.',
        schema: { type: 'string' },
      },
    ],
    answers: { 200: { description: 'A page of accounts.', content: json(page(ref('Account'))) } },
  },
  adminCreateAccount: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/accounts',
    summary: 'Open an account',
    body: {
      content: json(
        object({
          name: string('What to call it: up to 200 characters.'),
          'priority_class?': PRIORITY_CLASS,
          'reason?': REASON,
        }),
        {
          name: 'Studio',
        },
      ),
    },
    answers: {
      201: { description: 'The account.', content: json(object({ code: { const: 201 }, data: ref('Account') })) },
    },
  },
  adminGetAccount: {
    ...READ,
    path: '/admin/v1/accounts/{account_id}',
    summary: 'Read an account',
    answers: { 200: { description: 'The account.', content: account } },
  },
  adminUpdateAccount: {
    ...CHANGE,
    method: 'patch',
    role: 'support',
    path: '/admin/v1/accounts/{account_id}',
    summary: 'Change an account’s name, limits, priority class or marks',
    description:
      'Fields that are absent stay as they are. Limits reach every process within 5 seconds; the priority class applies from the next turn on, and marks apply to work that begins after the change.',
    body: {
      content: json(
        object({
          'name?': string(),
          'submit_per_minute?': perMinute('Requests that create something'),
          'query_per_minute?': perMinute('Requests that read'),
          'priority_class?': PRIORITY_CLASS,
          'marks?': OWN_MARKS.marks,
          'unmarked?': OWN_MARKS.unmarked,
          'reason?': REASON,
        }),
        { submit_per_minute: 600 },
      ),
    },
    answers: afterwards,
  },
  adminSuspendAccount: {
    ...CHANGE,
    role: 'support',
    path: '/admin/v1/accounts/{account_id}/suspend',
    summary: 'Suspend an account',
    description:
      'Submissions and uploads of the account are refused with `account_suspended` from now on. Tasks that have begun go on and are settled; reads are answered.',
    body: onlyReason,
    answers: afterwards,
  },
  adminResumeAccount: {
    ...CHANGE,
    role: 'support',
    path: '/admin/v1/accounts/{account_id}/resume',
    summary: 'Resume a suspended account',
    body: onlyReason,
    answers: afterwards,
  },
  adminCloseAccount: {
    ...CHANGE,
    role: 'admin',
    path: '/admin/v1/accounts/{account_id}/close',
    summary: 'Close an account permanently',
    description:
      'The account accepts neither tasks nor payments any more (`account_closed`). Tasks that have begun go on. The balance stays, and can still be adjusted.',
    body: onlyReason,
    answers: afterwards,
  },
} satisfies Record<string, Operation>;

const MONEY = {
  adminTopUpAccount: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/accounts/{account_id}/top-up',
    summary: 'Book a payment (again at each call without a reference or an idempotency key)',
    description:
      'Send `reference`, which is booked once whoever books it, or an `Idempotency-Key`: without either, a request that is repeated is booked again.',
    body: {
      content: json(
        object({
          amount: { ...AMOUNT, exclusiveMinimum: 0 },
          'reference?': string('Reference of the payment; each reference is booked once.'),
          'note?': string('Kept in the ledger.'),
          'reason?': REASON,
        }),
        { amount: 25, reference: 'invoice 2026-117' },
      ),
    },
    answers: afterwards,
  },
  adminAdjustAccount: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/accounts/{account_id}/adjust',
    summary: 'Adjust the balance of an account',
    description:
      'The balance goes up or down, never below zero. The account sees an entry `adjust`, without the reason.',
    body: {
      content: json(object({ amount: AMOUNT, reason: REASON }), { amount: -2.5, reason: 'booked twice' }),
    },
    answers: afterwards,
  },
  adminListLedger: {
    ...READ,
    path: '/admin/v1/accounts/{account_id}/ledger',
    summary: 'List the ledger of an account',
    description: 'The newest first, as the account sees it, with what operators wrote of payments and corrections.',
    parameters: [LIMIT, CURSOR],
    answers: { 200: { description: 'A page of entries.', content: json(ledgerPage(ref('OperatorLedgerEntry'))) } },
  },
  adminGetInvoice: {
    ...READ,
    path: '/admin/v1/accounts/{account_id}/invoice',
    summary: 'Read an account’s invoice of a month',
    description: 'The invoice as the account sees it. With `Accept: text/csv` it is a table with exact amounts.',
    parameters: [MONTH, TIMEZONE, EXCEL],
    answers: {
      200: {
        description: 'The invoice.',
        content: { ...json(wrapped(ref('Invoice'))), 'text/csv': { schema: { type: 'string' } } },
      },
    },
  },
  adminRefundTask: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/tasks/{task_id}/refund',
    summary: 'Refund a completed task',
    description:
      'The whole charge is refunded, or `amount` of it, once per task. An entry `adjust` of the task is booked. The task stays completed, and the quota that its key has used stays used.',
    body: {
      content: json(object({ 'amount?': { ...AMOUNT, exclusiveMinimum: 0 }, reason: REASON }), {
        reason: 'the image was black',
      }),
    },
    answers: {
      200: {
        description: 'What was given back.',
        content: json(
          wrapped(
            object({
              task_id: string(),
              account_id: string(),
              charged: number('Currency units that the task was charged.'),
              refunded: number('Currency units that were refunded.'),
              balance: number('Balance of the account after the refund.'),
            }),
          ),
        ),
      },
    },
  },
} satisfies Record<string, Operation>;

export const ACCOUNT_OPERATIONS = { ...LIFE, ...MONEY };
