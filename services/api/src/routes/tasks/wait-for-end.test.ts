import { Slots } from '@mediagate/concurrency';
import { GatewayError } from '@mediagate/contracts';
import { takeWaitSlot } from './wait-for-end';

it('an account has its share of the slots for waiting callers, however many keys it has', () => {
  const slots = new Slots(4, { perKey: 2 });
  const [own, other] = [{ accountId: 'own' }, { accountId: 'other' }];
  const leave = takeWaitSlot(slots, own);
  takeWaitSlot(slots, own);
  expect(() => takeWaitSlot(slots, own)).toThrow(GatewayError);
  takeWaitSlot(slots, other);
  leave();
  takeWaitSlot(slots, own);
});
