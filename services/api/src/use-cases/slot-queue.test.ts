import { EventEmitter, once } from 'node:events';
import type { SubmitOutcome } from '@mediagate/billing';
import type { CallerConnection } from './caller-connection';
import { SlotQueue } from './slot-queue';

const TEXTS = { owner: { accountId: 'account' }, keyId: 'key', family: 'text' } as const;
const ACCEPTED: SubmitOutcome = { kind: 'accepted' };
const NO_SLOT: SubmitOutcome = { kind: 'no_slot' };
const WAIT_MS = 30_000;

/** The caller's connection. */
function connection(): CallerConnection & EventEmitter {
  return Object.assign(new EventEmitter(), { destroyed: false });
}

/** Slots as the database keeps them, and who got one, in order. */
function open(free: number, waitMs = WAIT_MS) {
  const queue = new SlotQueue({ waitMs });
  const slots = { free, tries: 0 };
  const served: string[] = [];
  function take(name: string, caller: CallerConnection = connection(), of: Parameters<SlotQueue['take']>[0] = TEXTS) {
    const submit = async () => {
      slots.tries += 1;
      if (slots.free === 0) return NO_SLOT;
      slots.free -= 1;
      served.push(name);
      return ACCEPTED;
    };
    return queue.take(of, submit, caller);
  }
  const release = () => {
    slots.free += 1;
    queue.freed(TEXTS);
  };
  return { queue, slots, served, take, release };
}

describe('a queue for slots', () => {
  it('submits at once while there are any', async () => {
    const { take, slots } = open(2);
    expect(await take('a')).toEqual(ACCEPTED);
    expect(await take('b')).toEqual(ACCEPTED);
    expect(slots.tries).toBe(2);
  });

  it('serves in the order of arrival, newcomers behind who waits', async () => {
    const { take, served, release } = open(1);
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => take(name));
    await all[0];
    for (let times = 1; times < 5; times += 1) {
      release();
      await all[times];
    }
    expect(served).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('finds slots that came free in another process, of which nobody tells', async () => {
    const { take, slots } = open(0);
    const waiting = take('a');
    slots.free = 1;
    expect(await waiting).toEqual(ACCEPTED);
  });

  it('ends in vain with 429 and the time to wait, and the line goes on without whoever gave up', async () => {
    const { take, release, served } = open(0, 50);
    const first = take('a');
    await expect(first).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
    const second = take('b');
    release();
    expect(await second).toEqual(ACCEPTED);
    expect(served).toEqual(['b']);
  });

  it('lets go of callers who hang up', async () => {
    const { take, release, served } = open(0);
    const leaver = connection();
    const [first, second] = [take('a', leaver), take('b')];
    await new Promise((resolve) => setImmediate(resolve));
    leaver.emit('close');
    await expect(first).rejects.toThrow('the caller closed the connection');
    release();
    await second;
    expect(served).toEqual(['b']);
    expect(leaver.listenerCount('close')).toBe(0);
  });

  it('leaves to whoever hung up what was on its way to the books, for the books may have it', async () => {
    const queue = new SlotQueue();
    const events = new EventEmitter();
    const answers = [NO_SLOT];
    const submit = async () => {
      const known = answers.shift();
      if (known) return known;
      events.emit('asked');
      const [outcome] = await once(events, 'answer');
      return outcome as SubmitOutcome;
    };
    const leaver = connection();
    const asked = once(events, 'asked');
    const taken = queue.take(TEXTS, submit, leaver);
    await asked;
    leaver.emit('close');
    events.emit('answer', ACCEPTED);
    expect(await taken).toEqual(ACCEPTED);
  });

  it('passes on what submitting throws, and serves the next', async () => {
    const { queue, take, release } = open(0);
    const waiting = take('a');
    let times = 0;
    const broken = queue.take(
      TEXTS,
      async () => {
        times += 1;
        throw new Error('the books are away');
      },
      connection(),
    );
    const third = take('c');
    release();
    await waiting;
    await expect(broken).rejects.toThrow('the books are away');
    expect(times).toBe(1);
    release();
    expect(await third).toEqual(ACCEPTED);
  });

  it('keeps keys and families apart', async () => {
    const { queue, take } = open(0, 200);
    const waiting = expect(take('a')).rejects.toMatchObject({ code: 'rate_limited' });
    for (const other of [{ ...TEXTS, family: 'tts' } as const, { ...TEXTS, keyId: 'another' }]) {
      expect(await queue.take(other, async () => ACCEPTED, connection())).toEqual(ACCEPTED);
    }
    await waiting;
  });

  it('takes a hundred callers of a key, and refuses more at once', async () => {
    const { take } = open(0, 200);
    const waiting = Array.from({ length: 100 }, (_, index) => take(String(index)).catch((error: Error) => error));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(take('one more')).rejects.toMatchObject({ code: 'rate_limited' });
    await Promise.all(waiting);
  });

  it('has slots for every account, however many keys another one has', async () => {
    const { take, served, release, slots, queue } = open(0);
    const left: Promise<unknown>[] = [];
    for (let key = 0; key < 10; key += 1) {
      for (let count = 0; count < 100; count += 1) {
        left.push(take('greedy', connection(), { ...TEXTS, keyId: String(key) }).catch(() => undefined));
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    const other = { owner: { accountId: 'another' }, keyId: 'theirs', family: 'text' } as const;
    const waiting = take('other', connection(), other);
    await new Promise((resolve) => setImmediate(resolve));
    slots.free += 1;
    queue.freed(other);
    expect(await waiting).toEqual(ACCEPTED);
    expect(served).toEqual(['other']);
    slots.free = 1000;
    release();
    await Promise.all(left);
  });
});

describe('a queue for slots that nobody frees', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('asks for a thousand keys no more than a hundred times a second, and for each of them in turn', async () => {
    const queue = new SlotQueue();
    const tries = new Map<string, number>();
    let total = 0;
    for (let index = 0; index < 1000; index += 1) {
      const name = String(index);
      const submit = async () => {
        total += 1;
        tries.set(name, (tries.get(name) ?? 0) + 1);
        return NO_SLOT;
      };
      queue
        .take({ owner: { accountId: name }, keyId: name, family: 'text' }, submit, connection())
        .catch(() => undefined);
    }
    await jest.advanceTimersByTimeAsync(1000);
    const [before, triesBefore] = [total, new Map(tries)];
    await jest.advanceTimersByTimeAsync(11_000);
    expect(total - before).toBeLessThanOrEqual(1101);
    for (const [name, count] of tries) expect(count).toBeGreaterThan(triesBefore.get(name) ?? 0);
    await jest.advanceTimersByTimeAsync(WAIT_MS);
  });

  it('asks for one key less and less often, and at once again when a slot of it comes free', async () => {
    const { queue, slots, take } = open(0);
    const waiting = take('a');
    await jest.advanceTimersByTimeAsync(6000);
    expect(slots.tries).toBeGreaterThan(6);
    expect(slots.tries).toBeLessThan(13);
    slots.free = 1;
    queue.freed(TEXTS);
    expect(await waiting).toEqual(ACCEPTED);
  });
});
