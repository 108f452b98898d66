import { MARKS, PRIORITY_CLASSES, UNMARKED } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { number, object, oneOf, string, unixSeconds } from './build';

export const ACCOUNT_STATES = ['active', 'suspended', 'closed'] as const;

const limit = (what: string): JsonSchema => ({
  type: ['integer', 'null'],
  description: `${what} a minute; null: no limit.`,
});

const ofItsOwn = (words: readonly string[], description: string): JsonSchema => ({
  enum: [...words, null],
  description: `${description}; null: as the configuration says.`,
});

/** How an account has its results marked. */
export const OWN_MARKS = {
  marks: ofItsOwn(MARKS, 'How its results are marked as made by a model'),
  unmarked: ofItsOwn(UNMARKED, 'What becomes of a result that cannot be marked so'),
};

export const ACCOUNT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Account: object(
    {
      id: string('`acct_` and 26 characters.'),
      name: string(),
      state: oneOf(ACCOUNT_STATES, '`suspended` takes no new work, `closed` neither work nor payments.'),
      balance: number('Currency units that it can spend.'),
      held: number('Held for tasks that have not ended.'),
      settled: number('What finished tasks have cost.'),
      submit_per_minute: limit('Requests of all its keys that create something'),
      query_per_minute: limit('Requests of all its keys that read'),
      priority_class: oneOf(
        PRIORITY_CLASSES,
        'Its share of the turns of tasks that wait beyond `DISPATCH_WINDOW`: 1, 3 or 9 tasks a turn.',
      ),
      ...OWN_MARKS,
      created: unixSeconds('When it was opened'),
    },
    'An account, as operators see it.',
  ),
};
