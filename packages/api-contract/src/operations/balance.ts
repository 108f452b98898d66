import type { Operation } from '../operation';
import { boolean, json, number, object, string } from '../schemas/build';
import { QUERY } from './access';

const record = object({
  success: { const: true },
  remain_balance: number('Currency units that could still be spent; -1 of a key without a quota.'),
  remain_credits: number('The same in credits.'),
  used_balance: number('Currency units that finished tasks have cost.'),
  used_credits: number('The same in credits.'),
  unlimited_quota: boolean(),
});
const missing = object({ success: { const: false }, message: string(), reason: { const: 'not_found' } });

const balance = {
  ...QUERY,
  tag: 'Balance',
  cors: true,
  answers: {
    200: {
      description: 'The balance; `success: false` where its record cannot be found.',
      content: json(
        { oneOf: [record, missing] },
        {
          success: true,
          remain_balance: 12.5,
          remain_credits: 125,
          used_balance: 0.75,
          used_credits: 7.5,
          unlimited_quota: false,
        },
      ),
    },
  },
};

const ofKey = { ...balance, summary: 'Balance of the key' };
const ofAccount = { ...balance, summary: 'Balance of the account' };

export const BALANCE_OPERATIONS = {
  getKeyBalance: { ...ofKey, path: '/v1/balance' },
  getKeyBalanceTwin: { ...ofKey, path: '/balance' },
  getAccountBalance: { ...ofAccount, path: '/v1/user/balance' },
  getAccountBalanceTwin: { ...ofAccount, path: '/user/balance' },
} satisfies Record<string, Operation>;
