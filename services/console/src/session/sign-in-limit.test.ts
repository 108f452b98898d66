import { createSignInLimit, type SignInLimitOptions } from './sign-in-limit';

/** Each compares four passwords, of some 0.2 s of a core each. */
const MOST_AT_ONCE = 40;

it('however many strangers come at once, from wherever and as whomever, a bounded number has passwords compared', async () => {
  const limit = createSignInLimit({ wait: () => Promise.resolve() });
  const stranger = (index: number) => ({
    address: `192.0.${index >> 8}.${index & 255}`,
    user: `user-${index}@example.com`,
    device: undefined,
  });
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => limit.take(stranger(index))));
  const passed = answers.filter((answer) => 'succeeded' in answer).length;
  expect(passed).toBeGreaterThan(10);
  expect(passed).toBeLessThan(MOST_AT_ONCE);
  const known = await limit.take({ ...stranger(1), device: { id: 'known', userId: 'usr_1' } });
  expect(known).toMatchObject({ knownUserId: 'usr_1' });
});

it('however many browsers a user is known in, a bounded number of right passwords is compared at once', async () => {
  const limit = createSignInLimit({ wait: () => Promise.resolve() });
  const attempt = async (index: number) => {
    const device = { id: `browser ${index}`, userId: 'usr_1' };
    const taken = await limit.take({ address: '192.0.2.1', user: 'kim@example.com', device });
    if (!('succeeded' in taken)) return 0;
    taken.succeeded();
    return 1;
  };
  const passed = await Promise.all(Array.from({ length: 1000 }, (_, index) => attempt(index)));
  const compared = passed.filter((each) => each === 1).length;
  expect(compared).toBeGreaterThan(10);
  expect(compared).toBeLessThan(MOST_AT_ONCE);
});

it.each(['userTurns', 'strangers', 'known', 'invited'] as const)(
  'who has no turn by the pace %s is told to come again when that pace may have one',
  async (turns) => {
    const limit = createSignInLimit({
      [turns]: { burst: 0, everyMs: 7000, maxWaitMs: 7000, visitMs: 1 },
      wait: () => new Promise<void>(() => {}),
    });
    const origin = {
      address: '192.0.2.1',
      user: 'kim@example.com',
      device: turns === 'known' ? { id: 'browser', userId: 'usr_1' } : undefined,
    };
    const take = () =>
      turns === 'invited' ? limit.takeInvited({ address: '192.0.2.1', userId: 'usr_1' }) : limit.take(origin);
    expect(await Promise.race([take(), take(), take()])).toEqual({ retryAfterSeconds: 7 });
  },
);

describe('of strangers at the pace of all of them', () => {
  let now = 0;
  let due: { at: number; resume(): void }[] = [];
  const wait = (ms: number) => new Promise<void>((resume) => void due.push({ at: now + ms, resume }));
  const limitOf = (options: SignInLimitOptions = {}) => createSignInLimit({ now: () => now, wait, ...options });

  beforeEach(() => {
    now = 0;
    due = [];
  });

  /** Lets time pass until it is answered. */
  async function answerOf<T>(answer: Promise<T>): Promise<T> {
    let given: { value: T } | undefined;
    void answer.then((value) => {
      given = { value };
    });
    for (;;) {
      await new Promise(setImmediate);
      if (given) return given.value;
      due.sort((one, other) => one.at - other.at);
      const next = due.shift();
      if (!next) throw new Error('nothing is waited for');
      now = Math.max(now, next.at);
      next.resume();
    }
  }

  const from = (address: string, user: string | undefined = 'kim@example.com') => ({
    address,
    user,
    device: undefined,
  });
  const subnet = (index: number) => `2001:db8:1:${index.toString(16)}::1`;

  it('a network that never came goes before the many of one that came often', async () => {
    const limit = limitOf();
    for (let index = 0; index < 200; index += 1) void limit.take(from(subnet(index), `user-${index}@example.com`));
    await new Promise(setImmediate);
    const began = now;
    expect(await answerOf(limit.take(from('192.0.2.1')))).toHaveProperty('succeeded');
    expect(now - began).toBeLessThanOrEqual(500);
    expect(await answerOf(limit.take(from('2001:db8:2::1')))).toHaveProperty('succeeded');
  });

  it.each([
    ['/48', subnet, 30],
    ['/24', (index: number) => `192.0.2.${index}`, 30],
    ['/32', (index: number) => `2001:db8:${index.toString(16)}::1`, 60],
  ])('those of a %s have few passwords compared at once, however many they are', async (_size, address, most) => {
    const unbounded = { burst: 1000, everyMs: 1, maxWaitMs: 0, visitMs: 1 };
    const limit = createSignInLimit({ now: () => now, wait: () => Promise.resolve(), strangers: unbounded });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => limit.take(from(address(index), undefined))),
    );
    expect(answers.filter((answer) => 'succeeded' in answer).length).toBeLessThanOrEqual(most);
  });

  it('who is refused by one pace has lost nothing of the others', async () => {
    const limit = limitOf({
      strangers: { burst: 1, everyMs: 1000, maxWaitMs: 0, visitMs: 1000 },
      address: { burst: 2, everyMs: 3_600_000, maxWaitMs: 0 },
    });
    await answerOf(limit.take(from('192.0.2.1', undefined)));
    void limit.take(from('192.0.2.2', undefined));
    for (let count = 0; count < 5; count += 1)
      expect(await limit.take(from('192.0.2.3', undefined))).toHaveProperty('retryAfterSeconds');
    now += 60_000;
    expect(await answerOf(limit.take(from('192.0.2.3', undefined)))).toHaveProperty('succeeded');
  });

  it('nobody locks a user out of browsers elsewhere, however often they try', async () => {
    const limit = limitOf();
    const attack = (count: number) => limit.take(from(`198.51.${count % 20}.${count}`));
    for (let round = 0; round < 2; round += 1) {
      const attempts = Array.from({ length: 200 }, (_, count) => attack(count));
      if (round === 0) await answerOf(Promise.all(attempts));
    }
    await new Promise(setImmediate);
    const began = now;
    expect(await answerOf(limit.take(from('192.0.2.1')))).toHaveProperty('succeeded');
    expect(now - began).toBeLessThanOrEqual(6000);
  });

  it('a user who came seldom goes before one who is known in many browsers, from the same network', async () => {
    const limit = limitOf();
    const known = (id: string, userId: string) => ({ ...from('192.0.2.1'), device: { id, userId } });
    for (let index = 0; index < 200; index += 1) void limit.take(known(`browser ${index}`, 'usr_1'));
    await new Promise(setImmediate);
    const began = now;
    expect(await answerOf(limit.take(known('browser', 'usr_2')))).toMatchObject({ knownUserId: 'usr_2' });
    expect(now - began).toBeLessThanOrEqual(500);
  });

  it('a known browser’s pace counts good attempts, each user by itself, and then it goes on as a stranger', async () => {
    const limit = limitOf({ device: { burst: 2, everyMs: 3_600_000, maxWaitMs: 0 } });
    const knownAs = async (userId: string) => {
      const taken = await answerOf(limit.take({ ...from('192.0.2.1'), device: { id: 'browser', userId } }));
      if (!('succeeded' in taken)) throw new Error('the attempt was refused');
      taken.succeeded();
      return taken.knownUserId;
    };
    expect([await knownAs('usr_1'), await knownAs('usr_1'), await knownAs('usr_1')]).toEqual([
      'usr_1',
      'usr_1',
      undefined,
    ]);
    expect(await knownAs('usr_2')).toBe('usr_2');
  });

  it('invitations go on beside them', async () => {
    const limit = limitOf({ strangers: { burst: 0, everyMs: 3_600_000, maxWaitMs: 0, visitMs: 1000 } });
    void limit.take(from('192.0.2.1'));
    expect(await limit.takeInvited({ address: '192.0.2.1', userId: 'usr_1' })).toHaveProperty('succeeded');
  });
});
