import type { JsonSchema, Parameter } from '../operation';
import { boolean, integer, listOf, number, object, string } from './build';

export const UNITS: JsonSchema = {
  ...object(
    {},
    'What was charged for, by unit of the price list, in what its price is for: `image_output` in millions of tokens.',
  ),
  additionalProperties: { type: 'number' },
};

export const INVOICE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Invoice: object(
    {
      account_id: string(),
      month: string('The month, in `timezone`.'),
      timezone: string('IANA name of the time zone, or UTC.'),
      final: boolean('Nothing is booked in the month any more.'),
      opening_balance: number(
        'What was paid before the month less what was charged before, in currency units. What is held is still the account’s.',
      ),
      payments: number('Top-ups.'),
      adjustments: number('Corrections of the account.'),
      refunds: number('Given back by hand, of what was charged in this month or before.'),
      charges: number('Sum of all lines.'),
      closing_balance: number('The opening balance with payments, adjustments and refunds, less the charges.'),
      lines: listOf(
        object({
          model: { type: ['string', 'null'], description: 'Null: charged by a release that did not keep it.' },
          tasks: integer('Completed in the month.'),
          charged: number('Currency units.'),
          units: UNITS,
        }),
        'Lines by model.',
      ),
    },
    'What was booked on an account in a month.',
  ),
};

export const MONTH: Parameter = {
  in: 'query',
  name: 'month',
  description: 'Absent: the last one that is over.',
  schema: { type: 'string', examples: ['2026-10'] },
};
