import type { Operation } from '../../operation';
import { integer, json, listOf, number, object } from '../../schemas/build';
import { UNITS } from '../../schemas/invoice';
import { EXCEL, TIMEZONE, time } from '../access';
import { READ } from './access';

const sums = {
  tasks: integer('Tasks submitted in the time, without those of test keys.'),
  completed: integer('Tasks of these that completed.'),
  failed: integer('Tasks of these that failed.'),
  charged: number('Currency units that accounts were charged for the completed tasks.'),
  refunded: number('Currency units of these that were refunded by hand.'),
  cost: number('Currency units that vendors charge, as far as that is known, for failed ones too.'),
  cost_unknown: integer('Ended tasks with an unknown cost; no sum includes it.'),
  margin: {
    type: ['number', 'null'],
    description: '`charged` less `refunded` less `cost`; null where `cost_unknown` is above 0: it would be too high.',
  },
};

/** The operation that reports usage, vendors' charges and the margin. */
export const USAGE_OPERATIONS = {
  adminGetUsage: {
    ...READ,
    path: '/admin/v1/usage',
    summary: 'Sum up usage, what vendors charge for it, and the margin',
    description:
      'Sums over all accounts, by the time of submission: 366 days and 10,000 groups at most, and of tasks that are not summed up yet, as those of the last hours, or all of them by days of another zone than UTC, a million. With `Accept: text/csv` a table, one line a group. Tasks that were pruned are in it; those of test keys are not.',
    parameters: [
      time('from', 'Tasks submitted from then on; absent: 30 days before `to`.'),
      time('to', 'Tasks submitted before then, or by the end of that day; absent: now.'),
      {
        in: 'query',
        name: 'group_by',
        description:
          'Any of `day`, `vendor`, `channel`, `model`, `account`, `family`, `key`, separated by commas. Vendor and channel are those of the last attempt; null: there was none.',
        schema: { type: 'string', default: 'day' },
      },
      {
        in: 'query',
        name: 'units',
        description: 'Whether groups say what accounts were charged for.',
        schema: { type: 'boolean', default: false },
      },
      TIMEZONE,
      EXCEL,
    ],
    answers: {
      200: {
        description: 'The sums.',
        content: {
          ...json(
            object({
              code: { const: 200 },
              data: listOf({
                ...object(
                  { ...sums, 'units?': UNITS },
                  'A group: what it is grouped by, each under its own name, and the sums.',
                ),
                additionalProperties: { type: ['string', 'null'] },
              }),
              total: object(sums, 'The sums of all groups.'),
            }),
          ),
          'text/csv': { schema: { type: 'string' } },
        },
      },
    },
  },
} satisfies Record<string, Operation>;
