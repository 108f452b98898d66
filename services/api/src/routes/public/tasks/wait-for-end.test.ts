import { Slots } from '@mediagate/concurrency';
import { preferredWaitMs, readWaitMs, takeWaitSlot } from './wait-for-end';

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

it.each(['55', '60', '61', '300', '86400', '999999999'])(
  'a caller who asks to wait %s s is answered after 55 s',
  (seconds) => {
    expect(readWaitMs({ query: { wait: seconds } })).toBe(55_000);
    expect(preferredWaitMs({ headers: { prefer: `respond-async, wait=${seconds}` } })).toBe(55_000);
  },
);

it('a caller who asks to wait less is answered after that', () => {
  expect([readWaitMs({ query: { wait: '54' } }), preferredWaitMs({ headers: { prefer: 'wait=1' } })]).toEqual([
    54_000, 1000,
  ]);
});
