import type { JsonSchema } from '../operation';
import { anyWord, number, object, string, unixSeconds } from './build';

const entry = {
  id: string(),
  created: unixSeconds('When it was booked'),
  kind: anyWord(
    ['top_up', 'adjust', 'hold', 'settle', 'refund'],
    '`hold`: the most that a task can cost, at its submission; `settle`: what it cost, the rest of the hold comes back; `refund`: the whole hold comes back.',
  ),
  amount: number('Currency units; above zero, but for `adjust`.'),
  change: number('Change of the balance: -`amount` for a hold, what came back for a settlement or refund.'),
  balance_after: {
    type: ['number', 'null'],
    description: 'What the account could spend then; null: booked before balances were written down.',
  },
  task_id: { type: ['string', 'null'] },
  'test?': { type: 'boolean', enum: [true], description: 'Present on tasks of test keys, which are free.' },
  key_id: { type: ['string', 'null'], description: 'The key that submitted the task.' },
};

export const LEDGER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  LedgerEntry: object(entry),
  OperatorLedgerEntry: object({
    ...entry,
    reference: { type: ['string', 'null'], description: 'Reference of a payment.' },
    reason: { type: ['string', 'null'], description: 'Why it was booked by hand, or the note of a payment.' },
  }),
};
