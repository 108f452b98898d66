import { Slots } from '@mediagate/concurrency';
import { inEnglish } from '@mediagate/contracts';
import { readPreferredWait, readWaitMs, takeWaitSlot } from './wait-for-end';

const waitOf = (prefer: string) => readPreferredWait({ headers: { prefer } }).timeoutMs;

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
    expect(waitOf(`respond-async, wait=${seconds}`)).toBe(55_000);
  },
);

it('a caller who asks to wait less is answered after that', () => {
  expect([readWaitMs({ query: { wait: '54' } }), waitOf('wait=1')]).toEqual([54_000, 1000]);
});

it.each<[prefer: string, seconds: number]>([
  ['Wait = 7', 7],
  ['wait="7"; a=b', 7],
  ['respond-async,wait=7,wait=9', 7],
  ['cancel-on-hangup;wait=7', 7],
  ['wait=0', 0],
  ['await=7', 0],
  ['wait-longer=7', 0],
  ['respond-async', 0],
  ['', 0],
])('a preference is read as the protocol has it: %s', (prefer, seconds) => {
  expect(readPreferredWait({ headers: { prefer } })).toEqual({ timeoutMs: seconds * 1000, ignored: [] });
});

it.each(['wait=abc', 'wait=', 'wait', 'wait=-5', 'wait=1.5', 'wait=60s', 'wait="soon"', 'respond-async, wait=1m'])(
  'a wait that is no number of seconds is none, and is told: %s',
  (prefer) => {
    const { timeoutMs, ignored } = readPreferredWait({ headers: { prefer } });
    expect(timeoutMs).toBe(0);
    expect(ignored.map(inEnglish)).toEqual([
      'Prefer was ignored: wait must be a whole number of seconds, such as wait=60',
    ]);
  },
);

it('to be cancelled is no preference of one who does not wait, which is told', () => {
  const { ignored } = readPreferredWait({ headers: { prefer: 'cancel-on-hangup' } });
  expect(ignored.map(inEnglish)).toEqual(['Prefer: cancel-on-hangup was ignored: it has no effect without wait=60']);
});
