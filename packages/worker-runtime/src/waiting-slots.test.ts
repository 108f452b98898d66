import { createWaitingSlots } from './waiting-slots';

it('a small worker keeps slots for the files of others, too', () => {
  const { files } = createWaitingSlots(8);
  const take = (accountId: string, host: string) => files.tryTake({ owner: { accountId }, keys: [host] });
  while (take('account', 'silent.example'));
  expect(take('other account', 'silent.example')).toBeUndefined();
  expect(take('other account', 'good.example')).toBeDefined();
});
