import type { Channel } from '@mediagate/settings';
import { testChannel } from '../test/test-channel';
import { type CallVerdict, type ChannelBreaker, verdictOn } from './breaker';
import { createChannelChooser } from './channel-chooser';

/** Mulberry32: the same numbers on every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const MODEL = { model: 'a-model', isTest: false };
const FAILED = { code: 'upstream_fault' } as const;
const NAME_REFUSED = { code: 'operator', ofModel: true } as const;
const DRAWS = 20_000;

async function report(breaker: ChannelBreaker, verdict: CallVerdict, { model = MODEL.model, times = 1 } = {}) {
  for (let count = 0; count < times; count += 1) {
    await breaker.run(
      model,
      async () => verdict,
      (answer) => answer,
    );
  }
}

describe('the choice of a channel', () => {
  it('gives equals their share of firsts by weight, and the rest of the order likewise', () => {
    const channels = [
      testChannel('a', { weight: 1 }),
      testChannel('b', { weight: 2 }),
      testChannel('c', { weight: 7 }),
    ];
    const chooser = createChannelChooser(channels, { random: seeded(1) });
    const orders: Record<string, number> = {};
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const order = chooser.candidates(MODEL, []).map(({ id }) => id);
      orders[order.join('')] = (orders[order.join('')] ?? 0) + 1;
    }
    const share = (prefix: string) =>
      Object.entries(orders).reduce((sum, [order, count]) => sum + (order.startsWith(prefix) ? count : 0), 0) / DRAWS;
    expect(share('a')).toBeCloseTo(0.1, 1.9);
    expect(share('b')).toBeCloseTo(0.2, 1.9);
    expect(share('c')).toBeCloseTo(0.7, 1.9);
    // After c, a third of what is left is a's.
    expect(share('ca')).toBeCloseTo(0.7 / 3, 1.9);
  });

  it('never tries a higher number of priority before a lower one, whatever the weights', () => {
    const channels = [
      testChannel('spare', { priority: 2, weight: 1000 }),
      testChannel('main', { priority: 1 }),
      testChannel('twin', { priority: 1 }),
    ];
    const chooser = createChannelChooser(channels, { random: seeded(2) });
    const lasts = Array.from({ length: 1000 }, () => chooser.candidates(MODEL, []).at(-1)?.id);
    expect(new Set(lasts)).toEqual(new Set(['spare']));
  });

  it('asks the maker of what a task works on first, whatever its priority, unless it was tried or is none of these', () => {
    const channels = [testChannel('main', { priority: 1 }), testChannel('maker', { priority: 9 })];
    const chooser = createChannelChooser(channels, { random: seeded(3) });
    const order = (tried: string[], maker?: string) => chooser.candidates(MODEL, tried, maker).map(({ id }) => id);
    expect(order([], 'maker')).toEqual(['maker', 'main']);
    expect(order(['maker'], 'maker')).toEqual(['main']);
    expect(order([], 'gone')).toEqual(['main', 'maker']);
    expect(order([])).toEqual(['main', 'maker']);
  });

  it('leaves out what was tried and what does not serve the model', () => {
    const elsewhere = testChannel('elsewhere', { models: new Map([['another', 'x']]) });
    const chooser = createChannelChooser([testChannel('a'), testChannel('b'), elsewhere]);
    expect(chooser.candidates(MODEL, ['a']).map(({ id }) => id)).toEqual(['b']);
    expect(chooser.serving(MODEL).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(chooser.find('elsewhere')).toBe(elsewhere);
  });
});

describe('a channel that keeps failing', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const PAUSE_MS = 15_000;
  const VERDICTS: Record<string, CallVerdict> = { failed: FAILED, abandoned: 'uncounted' };

  async function openBreaker() {
    const chooser = createChannelChooser([testChannel('broken'), testChannel('sound', { priority: 2 })]);
    const candidates = () => chooser.candidates(MODEL, []).map(({ id }) => id);
    const call = (result: string) =>
      chooser.breaker('broken').run(
        MODEL.model,
        async () => result,
        (answer) => VERDICTS[answer] ?? 'success',
      );
    for (let count = 0; count < 5; count += 1) expect(await call('failed')).toBe('failed');
    return { chooser, candidates, call };
  }

  it('is passed over after five failures', async () => {
    const { candidates, call } = await openBreaker();
    expect(candidates()).toEqual(['sound']);
    expect(await call('done')).toBeUndefined();
  });

  it('is not, when most of its calls go well', async () => {
    const chooser = createChannelChooser([testChannel('a')]);
    for (let count = 0; count < 40; count += 1) {
      await chooser.breaker('a').run(
        MODEL.model,
        async () => count,
        (answer) => (answer % 3 === 2 ? FAILED : 'success'),
      );
    }
    expect(chooser.candidates(MODEL, [])).toHaveLength(1);
  });

  it('is probed by one call after a pause, and used again when that goes well', async () => {
    const { chooser, candidates, call } = await openBreaker();
    jest.advanceTimersByTime(PAUSE_MS);
    expect(candidates()).toEqual(['broken', 'sound']);

    let answer: (result: string) => void = () => undefined;
    const pending = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const probe = chooser.breaker('broken').run(
      MODEL.model,
      () => pending,
      () => 'success',
    );
    expect(candidates()).toEqual(['sound']);
    expect(chooser.breaker('broken').probing(MODEL.model)).toBe(true);
    expect(await call('a second one')).toBeUndefined();

    answer('done');
    expect(await probe).toBe('done');
    expect(chooser.breaker('broken').probing(MODEL.model)).toBe(false);
    expect(candidates()).toEqual(['broken', 'sound']);
  });

  it('is passed over for another pause when the probe fails', async () => {
    const { candidates, call } = await openBreaker();
    jest.advanceTimersByTime(PAUSE_MS);
    expect(await call('failed')).toBe('failed');
    expect(candidates()).toEqual(['sound']);
    jest.advanceTimersByTime(PAUSE_MS);
    expect(candidates()).toEqual(['broken', 'sound']);
  });

  it('says which fault closed it, and which one its newest probe met', async () => {
    const { chooser, call } = await openBreaker();
    expect(chooser.openBreakers()).toEqual([{ channelId: 'broken', fault: 'upstream_fault' }]);
    jest.advanceTimersByTime(PAUSE_MS);
    await report(chooser.breaker('broken'), { code: 'operator' });
    expect(chooser.openBreakers()).toEqual([{ channelId: 'broken', fault: 'operator' }]);
    jest.advanceTimersByTime(PAUSE_MS);
    await call('done');
    expect(chooser.openBreakers()).toEqual([]);
  });

  it('is neither helped nor harmed by calls that are not counted', async () => {
    const chooser = createChannelChooser([testChannel('broken'), testChannel('sound', { priority: 2 })]);
    const breaker = chooser.breaker('broken');
    await report(breaker, FAILED, { times: 4 });
    await report(breaker, 'uncounted', { times: 100 });
    expect(chooser.candidates(MODEL, [])).toHaveLength(2);
    await report(breaker, FAILED);
    expect(chooser.candidates(MODEL, [])).toHaveLength(1);
  });

  it('is probed again at once, and not used, when the probe is not counted', async () => {
    const { chooser, candidates, call } = await openBreaker();
    jest.advanceTimersByTime(PAUSE_MS);
    expect(await call('abandoned')).toBe('abandoned');
    expect(chooser.breaker('broken').probing(MODEL.model)).toBe(false);
    expect(candidates()).toEqual(['broken', 'sound']);
    expect(await call('failed')).toBe('failed');
    expect(candidates()).toEqual(['sound']);
  });

  it('is not judged by what began before it was passed over', async () => {
    const chooser = createChannelChooser([testChannel('broken'), testChannel('sound', { priority: 2 })]);
    const candidates = () => chooser.candidates(MODEL, []).map(({ id }) => id);
    const breaker = chooser.breaker('broken');
    let answer: (verdict: CallVerdict) => void = () => undefined;
    const begun = new Promise<CallVerdict>((resolve) => {
      answer = resolve;
    });
    const late = breaker.run(
      MODEL.model,
      () => begun,
      (verdict) => verdict,
    );
    await report(breaker, FAILED, { times: 5 });
    jest.advanceTimersByTime(PAUSE_MS);
    answer('success');
    await late;
    expect(breaker.open()).toBe(true);
    await report(breaker, FAILED);
    expect(candidates()).toEqual(['sound']);
  });

  it('stays passed over when the configuration is read again, and starts afresh when it was removed', async () => {
    const { chooser, candidates } = await openBreaker();
    chooser.replace([testChannel('broken'), testChannel('sound', { priority: 2 })]);
    expect(candidates()).toEqual(['sound']);
    chooser.replace([testChannel('sound', { priority: 2 })]);
    chooser.replace([testChannel('broken'), testChannel('sound', { priority: 2 })]);
    expect(candidates()).toEqual(['broken', 'sound']);
  });

  it.each([true, false])(
    'starts afresh, by the other rule, when the file changes whether it is of tests: %s',
    async (isTest) => {
      const chooser = createChannelChooser([testChannel('a', { isTest: !isTest })]);
      const isClosedAfterFailures = async () => {
        await report(chooser.breaker('a'), FAILED, { times: 5 });
        return chooser.breaker('a').closed(MODEL.model);
      };
      expect(await isClosedAfterFailures()).toBe(!isTest);
      chooser.replace([testChannel('a', { isTest })]);
      expect(chooser.breaker('a').closed(MODEL.model)).toBe(true);
      expect(await isClosedAfterFailures()).toBe(isTest);
    },
  );

  it('is passed over when its answers break off after they have begun', async () => {
    const chooser = createChannelChooser([testChannel('a')]);
    const breaker = chooser.breaker('a');
    for (let count = 0; count < 2; count += 1) {
      expect(chooser.candidates(MODEL, [])).toHaveLength(1);
      await report(breaker, 'success');
      breaker.recordBreak();
    }
    expect(chooser.candidates(MODEL, [])).toEqual([]);
  });

  it('is not judged by what is longer ago than half a minute', async () => {
    const chooser = createChannelChooser([testChannel('a')]);
    const breaker = chooser.breaker('a');
    await report(breaker, FAILED, { times: 4 });
    jest.advanceTimersByTime(30_000);
    await report(breaker, FAILED);
    expect(chooser.candidates(MODEL, [])).toHaveLength(1);
    await report(breaker, FAILED, { times: 4 });
    expect(chooser.candidates(MODEL, [])).toEqual([]);
  });

  it('lets what a call throws through', async () => {
    const breaker = createChannelChooser([testChannel('a')]).breaker('a');
    const broken = breaker.run(
      MODEL.model,
      () => Promise.reject(new TypeError('a bug')),
      () => 'success',
    );
    await expect(broken).rejects.toThrow('a bug');
  });
});

describe('a dead name beside a living one in one channel', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const names = (dead: string) =>
    new Map([
      ['dead', dead],
      ['living', 'a name'],
    ]);
  const both = (dead = 'an old name') => [
    testChannel('main', { models: names(dead) }),
    testChannel('spare', { models: names(dead), priority: 2 }),
  ];
  const first = (chooser: ReturnType<typeof createChannelChooser>, model: string) =>
    chooser.candidates({ model, isTest: false }, [])[0]?.id;

  async function afterRefusals() {
    const chooser = createChannelChooser(both());
    await report(chooser.breaker('main'), NAME_REFUSED, { model: 'dead', times: 5 });
    return chooser;
  }

  it('is passed over by itself: its neighbour goes on there', async () => {
    const chooser = await afterRefusals();
    expect([first(chooser, 'dead'), first(chooser, 'living')]).toEqual(['spare', 'main']);
    expect(chooser.openBreakers()).toEqual([{ channelId: 'main', model: 'dead', fault: 'operator' }]);
    await report(chooser.breaker('main'), NAME_REFUSED, { model: 'dead', times: 100 });
    expect([chooser.breaker('main').open(), first(chooser, 'living')]).toEqual([false, 'main']);
  });

  it('is probed by itself, and let through once the vendor has it again', async () => {
    const chooser = await afterRefusals();
    jest.advanceTimersByTime(15_000);
    expect(first(chooser, 'dead')).toBe('main');
    await report(chooser.breaker('main'), 'success', { model: 'dead' });
    expect(chooser.openBreakers()).toEqual([]);
  });

  it('is no matter of the channel’s failures, which close it to both', async () => {
    const chooser = createChannelChooser(both());
    await report(chooser.breaker('main'), FAILED, { model: 'dead', times: 5 });
    expect([first(chooser, 'dead'), first(chooser, 'living')]).toEqual(['spare', 'spare']);
    expect(chooser.openBreakers()).toEqual([{ channelId: 'main', fault: 'upstream_fault' }]);
    jest.advanceTimersByTime(15_000);
    await report(chooser.breaker('main'), 'success', { model: 'living' });
    expect([first(chooser, 'dead'), first(chooser, 'living')]).toEqual(['main', 'main']);
  });

  it('is tried at once when the channel is given another name for it', async () => {
    const chooser = await afterRefusals();
    chooser.replace(both());
    expect(first(chooser, 'dead')).toBe('spare');
    chooser.replace(both('a new name'));
    expect([first(chooser, 'dead'), chooser.openBreakers()]).toEqual(['main', []]);
  });
});

it('a dead voice is no matter of its model, whose other voices go on', () => {
  const fault = { code: 'operator', detail: 'no such voice' } as const;
  expect(verdictOn({ ...fault, ofVoice: true })).toBe('uncounted');
  expect(verdictOn(fault)).toBe(fault);
});

it('a closed channel takes no tasks and serves no model, but is found', () => {
  const chooser = createChannelChooser([testChannel('a')], { closed: [testChannel('draining')] });
  const ids = (channels: readonly Channel[]) => channels.map(({ id }) => id);
  expect([ids(chooser.candidates(MODEL, [], 'draining')), ids(chooser.serving(MODEL))]).toEqual([['a'], ['a']]);
  expect(chooser.find('draining')?.id).toBe('draining');
  chooser.replace([testChannel('draining')], { closed: [testChannel('a')] });
  expect([ids(chooser.candidates(MODEL, [])), chooser.find('a')?.id]).toEqual([['draining'], 'a']);
});

describe('channels of tests', () => {
  const channels = [testChannel('live'), testChannel('test', { isTest: true })];
  const sought = (isTest: boolean) => ({ ...MODEL, isTest });

  it.each([true, false])('take tasks of tests alone, and all of these (%s)', (isTest) => {
    const chooser = createChannelChooser(channels);
    const own = [isTest ? 'test' : 'live'];
    expect(chooser.serving(sought(isTest)).map(({ id }) => id)).toEqual(own);
    for (const maker of ['live', 'test']) {
      expect(chooser.candidates(sought(isTest), [], maker).map(({ id }) => id)).toEqual(own);
    }
  });

  it('stay in order, however often they are made to fail', async () => {
    const chooser = createChannelChooser(channels);
    for (const id of ['live', 'test']) {
      await report(chooser.breaker(id), FAILED, { times: 10 });
      await report(chooser.breaker(id), NAME_REFUSED, { times: 10 });
    }
    expect([true, false].map((isTest) => chooser.candidates(sought(isTest), []).length)).toEqual([1, 0]);
  });
});
