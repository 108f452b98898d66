import { createWaitingSlots } from './waiting-slots';

it('a small worker keeps slots for the files of others, too', () => {
  const { files } = createWaitingSlots(8);
  while (files.tryTake('account', 'silent.example'));
  expect(files.tryTake('other account', 'silent.example')).toBeUndefined();
  expect(files.tryTake('other account', 'good.example')).toBeDefined();
});
