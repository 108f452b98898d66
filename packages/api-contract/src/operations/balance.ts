import type { Operation } from '../operation';
import { boolean, integer, json, ledgerPage, listOf, number, object, ref, string, wrapped } from '../schemas/build';
import { MONTH } from '../schemas/invoice';
import { CURSOR, EXCEL, IF_NONE_MATCH, LIMIT, QUERY, TIMEZONE, time, UNCHANGED } from './access';

export const BALANCE_SCHEMAS = {
  Balance: object({
    success: { const: true },
    remain_balance: number('Currency units that could still be spent; -1 of a key without a quota.'),
    remain_credits: number('The same in credits.'),
    used_balance: number('Currency units that finished tasks have cost.'),
    used_credits: number('The same in credits.'),
    held_balance: number('Currency units held for tasks that have not ended. `remain_balance` is without them.'),
    held_credits: number('The same in credits.'),
    unlimited_quota: boolean(),
  }),
  MissingBalance: object({
    success: { const: false },
    message: string(),
    reason: { const: 'not_found' },
    request_id: string(),
  }),
};

const balance = {
  ...QUERY,
  tag: 'Balance',
  cors: true,
  parameters: [IF_NONE_MATCH],
  answers: {
    200: {
      description: 'The balance; `success: false` where its record cannot be found.',
      headers: ['ETag'],
      content: json(
        { oneOf: [ref('Balance'), ref('MissingBalance')] },
        {
          success: true,
          remain_balance: 12.5,
          remain_credits: 125,
          used_balance: 0.75,
          used_credits: 7.5,
          held_balance: 0.1,
          held_credits: 1,
          unlimited_quota: false,
        },
      ),
    },
    304: UNCHANGED,
  },
};

const sums = {
  tasks: integer('Submitted in the time.'),
  completed: integer('Tasks of these that completed.'),
  failed: integer('Tasks of these that failed.'),
  charged: number('Currency units that the completed ones cost.'),
};
const usage = object({
  code: { const: 200 },
  data: listOf({
    ...object(sums, 'A group: what it is grouped by, each under its own name, and the sums.'),
    additionalProperties: { type: ['string', 'null'] },
  }),
  total: object(sums, 'The sums of all groups.'),
});

const ofKey = { ...balance, scope: 'own' as const, summary: 'Balance of the key' };
const ofAccount = { ...balance, scope: 'account' as const, summary: 'Balance of the account' };

export const BALANCE_OPERATIONS = {
  getKeyBalance: { ...ofKey, path: '/v1/balance' },
  getKeyBalanceTwin: { ...ofKey, path: '/balance' },
  getAccountBalance: { ...ofAccount, path: '/v1/user/balance' },
  getAccountBalanceTwin: { ...ofAccount, path: '/user/balance' },
  listLedger: {
    ...QUERY,
    tag: 'Balance',
    scope: 'own',
    path: '/v1/ledger',
    summary: 'List the ledger of the account',
    description:
      'The newest entry first. Entries are never changed. Those of tasks may be removed months later, as `complete_since` says; payments stay. A key of the scope `own` gets those of its tasks, without `balance_after`; its page may have fewer than `limit`, or none, while `has_more` is true: go on with `next_cursor`.',
    parameters: [
      LIMIT,
      CURSOR,
      { in: 'query', name: 'task_id', description: 'Entries of this task alone.', schema: { type: 'string' } },
    ],
    answers: { 200: { description: 'A page of entries.', content: json(ledgerPage(ref('LedgerEntry'))) } },
  },
  getInvoice: {
    ...QUERY,
    tag: 'Balance',
    scope: 'account',
    path: '/v1/invoice',
    summary: 'Read the account’s invoice of a month',
    description:
      'Bookings count by their time, as in the ledger. With `Accept: text/csv` it is a table with exact amounts.',
    parameters: [MONTH, TIMEZONE, EXCEL],
    answers: {
      200: {
        description: 'The invoice.',
        content: { ...json(wrapped(ref('Invoice'))), 'text/csv': { schema: { type: 'string' } } },
      },
    },
  },
  getUsage: {
    ...QUERY,
    tag: 'Balance',
    scope: 'own',
    path: '/v1/usage',
    summary: 'Sum up usage of the account, or of the key where its scope is `own`',
    description:
      'By the time of submission, 366 days at most. With `Accept: text/csv` a table, one line a group. Metadata goes with its task: of tasks older than records are kept it is null.',
    parameters: [
      time('from', 'Tasks submitted from then on; absent: 30 days before `to`.'),
      time('to', 'Tasks submitted before then, or by the end of that day; absent: now.'),
      {
        in: 'query',
        name: 'group_by',
        description: 'Up to six of `day`, `model`, `key`, `family`, `metadata.<name>`, separated by commas.',
        schema: { type: 'string', default: 'day' },
      },
      TIMEZONE,
      EXCEL,
    ],
    answers: {
      200: {
        description: 'The sums.',
        content: {
          ...json(usage, {
            code: 200,
            data: [
              { day: '2026-11-21', model: 'imagegen-2.5-flare', tasks: 4, completed: 3, failed: 1, charged: 0.080775 },
            ],
            total: { tasks: 4, completed: 3, failed: 1, charged: 0.080775 },
          }),
          'text/csv': { schema: { type: 'string' } },
        },
      },
    },
  },
} satisfies Record<string, Operation>;
