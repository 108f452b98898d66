import { formatOperatorToken, newApiKey } from '../keys/api-key';
import { createOperatorFinder } from './authenticate-operator';

it('looks up whatever is offered at one time in few statements, so that invented tokens take no connections', async () => {
  const looked: number[] = [];
  const database = {
    findOperatorTokens(ids: readonly string[]) {
      looked.push(ids.length);
      return Promise.resolve([]);
    },
    noteOperatorUse: () => Promise.reject(new Error('nobody was let in')),
    renewTokenHash: () => Promise.reject(new Error('nobody was let in')),
  };
  const find = createOperatorFinder(database, ['pepper']);
  const found = Array.from({ length: 200 }, () => find(formatOperatorToken(newApiKey())));
  expect(new Set(await Promise.all(found))).toEqual(new Set([undefined]));
  expect(looked.length).toBeLessThanOrEqual(3);
  expect(looked.reduce((sum, count) => sum + count)).toBe(200);
});
