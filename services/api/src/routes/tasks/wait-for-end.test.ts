import { Slots } from '@mediagate/concurrency';
import { takeWaitSlot } from './wait-for-end';

it('an account has its share of the slots for waiting callers, however many keys it has; the last slot is taken from nobody', () => {
  const slots = new Slots({ capacity: 3, perOwner: 2 });
  const [own, other] = [{ accountId: 'own' }, { accountId: 'other' }];
  const leave = takeWaitSlot(slots, own);
  takeWaitSlot(slots, own);
  expect(() => takeWaitSlot(slots, own)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  takeWaitSlot(slots, other);
  expect(() => takeWaitSlot(slots, other)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  leave();
  takeWaitSlot(slots, own);
});
