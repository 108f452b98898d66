import type { JsonSchema } from '../operation';
import { number, object, string, unixSeconds } from './build';

export const ACCOUNT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Account: object(
    {
      id: string('`acct_` and 26 characters.'),
      name: string(),
      balance: number('Currency units that it can spend.'),
      held: number('Held for tasks that have not ended.'),
      settled: number('What finished tasks have cost.'),
      created: unixSeconds('When it was opened'),
    },
    'An account, as operators see it.',
  ),
};
