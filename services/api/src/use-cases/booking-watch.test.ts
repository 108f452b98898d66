import { newTaskId, type TaskId } from '@mediagate/contracts';
import { sees, type Visibility } from '@mediagate/database';
import { createLogger } from '@mediagate/host';
import { BookingWatch } from './booking-watch';

const WITHIN_MS = 2000;
/** Beyond it nobody waits, whatever the clocks are. */
const OVER_MS = WITHIN_MS + 2000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Over books that tests write to. */
function openWatch({ withinMs = WITHIN_MS, slots = 1000 } = {}) {
  /** By task its account, and after a space its key. */
  const booked = new Map<string, string>();
  const looks: number[] = [];
  let [free, isAway] = [slots, false];
  const watch = new BookingWatch({
    async findOwners(ids) {
      looks.push(ids.length);
      if (isAway) throw new Error('away');
      return ids.flatMap((id) => {
        const [accountId, keyId] = (booked.get(id) ?? '').split(' ');
        return accountId ? [{ id, accountId, keyId: keyId ?? null, keyMakerId: null }] : [];
      });
    },
    withinMs,
    takeSlot() {
      if (free === 0) throw new Error('full');
      free -= 1;
      return () => {
        free += 1;
      };
    },
    logger: createLogger({ service: 'api', level: 'silent' }),
  });
  const read = async (id: TaskId, caller: Visibility = { accountId: 'one', ownKeyId: null }) =>
    watch.read(id, caller, async () => {
      if (isAway) throw new Error('no database');
      const [accountId, keyId = null] = booked.get(id)?.split(' ') ?? [];
      return accountId !== undefined && sees(caller, { accountId, keyId, keyMakerId: null }) ? id : undefined;
    });
  const fail = () => {
    isAway = true;
  };
  return { booked, looks, read, fail, free: () => free };
}

const after = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it('what is there is read once, without a look', async () => {
  const { booked, looks, read } = openWatch();
  const id = newTaskId();
  booked.set(id, 'one');
  expect(await read(id)).toBe(id);
  expect(looks).toEqual([]);
});

it('a task that comes into the books within the time is found, by all who wait, with one statement a look, and then nothing runs', async () => {
  const { booked, looks, read, free } = openWatch();
  const ids = [newTaskId(), newTaskId()];
  const found = Promise.all([...ids, ...ids].map((id) => read(id)));
  await after(100);
  expect(new Set(looks)).toEqual(new Set([2]));
  expect(looks.length).toBeLessThanOrEqual(4);
  expect(free()).toBe(996);
  for (const id of ids) booked.set(id, 'one');
  await after(50);
  expect(await found).toEqual([...ids, ...ids]);
  expect(free()).toBe(1000);
  expect(jest.getTimerCount()).toBe(0);
});

it('is not there once the time has passed', async () => {
  const { read, free } = openWatch();
  const found = read(newTaskId());
  let isOver = false;
  void found.then(() => {
    isOver = true;
  });
  await after(WITHIN_MS);
  expect(isOver).toBe(false);
  await after(OVER_MS - WITHIN_MS);
  expect(isOver).toBe(true);
  expect(await found).toBeUndefined();
  expect(free()).toBe(1000);
  expect(jest.getTimerCount()).toBe(0);
});

it.each([
  ['of another account', 'other'],
  ['of a sibling', 'one sibling'],
])('%s it is waited for as long as one that never was', async (_whose, owner) => {
  const { booked, read } = openWatch();
  const [of, none] = [newTaskId(), newTaskId()];
  booked.set(of, owner);
  const ends: string[] = [];
  const caller = { accountId: 'one', ownKeyId: 'mine' };
  const found = [of, none].map((id) => read(id, caller).then(() => void ends.push(id)));
  await after(WITHIN_MS);
  expect(ends).toEqual([]);
  await after(OVER_MS - WITHIN_MS);
  await Promise.all(found);
  expect(ends).toEqual([of, none]);
});

it.each([
  ['is older than that', () => newTaskId(Date.now() - OVER_MS), {}],
  ['is of a clock far ahead', () => newTaskId(Date.now() + OVER_MS), {}],
  ['is young, where nothing is paid from credit', () => newTaskId(), { withinMs: 0 }],
])('nobody waits for a task whose id %s', async (_what, idOf, options) => {
  const { looks, read } = openWatch(options);
  // No time passes here.
  expect(await read(idOf())).toBeUndefined();
  expect(looks).toEqual([]);
});

it('whoever finds no slot to wait in gets the answer of a full system, not one that says there is no such task', async () => {
  const { read, free } = openWatch({ slots: 1 });
  const first = read(newTaskId());
  await after(0);
  await expect(read(newTaskId())).rejects.toThrow('full');
  await after(OVER_MS);
  await first;
  expect(free()).toBe(1);
});

it('while the database is away, whoever waits is answered as any who finds none', async () => {
  const { read, fail, free } = openWatch();
  const found = read(newTaskId());
  const refused = expect(found).rejects.toThrow('no database');
  await after(10);
  fail();
  await after(OVER_MS);
  await refused;
  expect(free()).toBe(1000);
});
