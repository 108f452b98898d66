import { Readable } from 'node:stream';
import { createCallMetrics, createChannelChooser } from '@mediagate/channels';
import type { JsonObject, Refused } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { streamedText, type TextUpstream } from '@mediagate/upstreams';
import { Registry } from 'prom-client';
import { testChannel } from '../../../test/test-channel';
import { createTextChannels } from './text-channels';

const CHANNEL = testChannel('text', {
  baseUrl: 'http://127.0.0.1:9',
  models: new Map([['text-2.5-flash', 'its name there']]),
});
const MODEL = { model: 'text-2.5-flash', isTest: false };
const STAYS = { owner: { accountId: 'account' }, onStep: () => undefined, isAwaited: () => true };
const LOST: Refused = { kind: 'refused', fault: { code: 'outcome_unknown', detail: 'the answer was lost' } };
/** More than enough to open a breaker. */
const CALLS = 10;

/** Metrics of calls, and how often a call or a fault with these labels was counted. */
function measured() {
  const register = new Registry();
  const labels = {
    models: new Set<string>(),
    model: (id: string) => id,
    channel: (id: string) => id,
    isTest: () => false,
  };
  const calls = createCallMetrics(register, labels);
  async function samples(name: string): Promise<object[]> {
    const found = (await register.getMetricsAsJSON()).find((metric) => metric.name === name);
    const values: { metricName?: string; labels: object; value: number }[] = found?.values ?? [];
    const counts = values.filter(({ metricName = name }) => /_(total|count)$/.test(metricName));
    return counts.map(({ labels, value }) => ({ ...labels, value }));
  }
  return { calls, samples };
}

/** Whether the channel is still used after calls in vain whose callers stayed, or, as many as are given, left meanwhile. */
async function usedAfter({ callerLeaves }: { callerLeaves: (count: number) => boolean }): Promise<boolean> {
  const channels = createChannelChooser([CHANNEL]);
  let caller = new AbortController();
  let leaves = false;
  const call = async () => {
    if (leaves) caller.abort();
    return LOST;
  };
  const text = createTextChannels({
    channels,
    upstreams: [{ protocol: 'gemini', imageTypes: [], call }],
    calls: measured().calls,
  });
  for (let count = 0; count < CALLS; count += 1) {
    caller = new AbortController();
    leaves = callerLeaves(count);
    const request = { method: 'generateContent', sse: false, body: Buffer.from('{}'), json: {} } as const;
    await text.call({
      ...request,
      ...MODEL,
      signal: caller.signal,
      owner: { accountId: 'account' },
      onStep: () => undefined,
      isAwaited: () => !caller.signal.aborted,
    });
  }
  return channels.candidates(MODEL, []).length === 1;
}

describe('the breaker of a text channel', () => {
  it('opens when calls are lost', async () => {
    expect(await usedAfter({ callerLeaves: () => false })).toBe(false);
  });

  it('stays closed, however many callers hang up', async () => {
    expect(await usedAfter({ callerLeaves: () => true })).toBe(true);
  });

  it('opens when calls are lost, however many callers hang up in between', async () => {
    expect(await usedAfter({ callerLeaves: (count) => count % 2 === 0 })).toBe(false);
  });
});

const SECOND: Channel = { ...CHANNEL, id: 'second', priority: 2 };
const REQUEST = {
  ...MODEL,
  method: 'streamGenerateContent',
  sse: true,
  body: Buffer.from('{}'),
  json: {},
} as const;

/** Channels with so many slots, and a vendor that begins to answer. */
function openLimited(maxConcurrency: number, call?: TextUpstream['call']) {
  const left: (() => void)[] = [];
  const asked: string[] = [];
  const { calls, samples } = measured();
  const channels = createChannelChooser([CHANNEL, SECOND].map((channel) => ({ ...channel, maxConcurrency })));
  const text = createTextChannels({
    channels,
    upstreams: [
      {
        protocol: 'gemini',
        imageTypes: [],
        async call(request, context) {
          asked.push(context.endpoint.channelId);
          if (call && asked.length === 1) return call(request, context);
          return streamedText('text/event-stream', Readable.from([]));
        },
      },
    ],
    calls,
  });
  async function ask(signal = new AbortController().signal) {
    const { leaveSlot, ...reply } = { leaveSlot: () => {}, ...(await text.call({ ...REQUEST, ...STAYS, signal })) };
    left.push(leaveSlot);
    return reply;
  }
  return {
    ask,
    asked,
    leaveFirst: () => left[0]?.(),
    samples,
    slotsInUse: () => [CHANNEL, SECOND].map(({ id }) => text.slotsInUse(id)),
  };
}

describe('a text channel with max_concurrency', () => {
  it('is passed over while so many answers have not ended, though they have begun', async () => {
    const { ask, asked } = openLimited(2);
    for (let count = 0; count < 4; count += 1) await ask();
    expect(asked).toEqual(['text', 'text', 'second', 'second']);
  });

  it('is not asked while all are full, which is no fault of theirs', async () => {
    const { ask, asked } = openLimited(1);
    await ask();
    await ask();
    expect(await ask()).toEqual({ kind: 'refused', fault: undefined, refused: [] });
    expect(asked).toHaveLength(2);
  });

  it('counts calls that have not been answered yet', async () => {
    const { ask, asked } = openLimited(1, () => new Promise(() => undefined));
    void ask();
    await ask();
    expect(asked).toEqual(['text', 'second']);
  });

  it('has its place back when an answer is left', async () => {
    const { ask, asked, leaveFirst } = openLimited(1);
    await ask();
    leaveFirst();
    await ask();
    await ask();
    expect(asked).toEqual(['text', 'text', 'second']);
  });

  it('has its place back when a call is refused', async () => {
    const { ask, asked } = openLimited(1, async () => LOST);
    await ask();
    await ask();
    expect(asked).toEqual(['text', 'text']);
  });

  it('has its place back when a call throws', async () => {
    const { ask, asked } = openLimited(1, () => Promise.reject(new TypeError('a bug')));
    await expect(ask()).rejects.toThrow('a bug');
    await ask();
    expect(asked).toEqual(['text', 'text']);
  });
});

describe('a request that the chat channel cannot carry', () => {
  const CANNOT: Refused = { kind: 'refused', fault: { code: 'cannot_carry', detail: 'no HEIC' } };
  const BUSY: Refused = { kind: 'refused', fault: { code: 'rate_limited', detail: 'slower' } };
  const image = (mimeType: string) => ({ contents: [{ parts: [{ inlineData: { mimeType, data: 'AAAA' } }] }] });

  /** A channel that reads HEIC before one that does not. */
  function open(native: TextUpstream['call'], maxConcurrency?: number) {
    const chat = { ...SECOND, protocol: 'openai-chat' };
    const channels = createChannelChooser([{ ...CHANNEL, maxConcurrency }, chat]);
    const upstreams: TextUpstream[] = [
      { protocol: 'gemini', imageTypes: ['image/heic'], call: native },
      { protocol: 'openai-chat', imageTypes: ['image/gif'], call: async () => CANNOT },
    ];
    const text = createTextChannels({ channels, upstreams, calls: measured().calls });
    const ask = (json: JsonObject = image('image/heic')) =>
      text.call({ ...REQUEST, ...STAYS, json, signal: new AbortController().signal });
    return { ask, channels };
  }

  it('is refused by the busy channel that reads it', async () => {
    const { ask } = open(async () => BUSY);
    expect(await ask()).toMatchObject({ kind: 'refused', fault: BUSY.fault });
  });

  it('is a busy model while the channel that reads it is full', async () => {
    const { ask } = open(async () => streamedText('text/event-stream', Readable.from([])), 1);
    await ask();
    expect(await ask()).toMatchObject({ fault: undefined, refused: [{ channelId: 'second', fault: 'cannot_carry' }] });
  });

  it('is a busy model while the channel that reads it is out of order', async () => {
    const { ask, channels } = open(async () => LOST);
    for (let count = 0; count < CALLS; count += 1) await ask();
    expect(channels.candidates(MODEL, [])).toMatchObject([{ id: 'second' }]);
    expect(await ask()).toMatchObject({ kind: 'refused', fault: undefined });
  });

  it('is refused for good where the channel that was passed over does not read it either', async () => {
    const { ask } = open(async () => streamedText('text/event-stream', Readable.from([])), 1);
    await ask();
    expect(await ask(image('image/gif'))).toMatchObject({ kind: 'refused', fault: CANNOT.fault });
  });
});

describe('the metrics of a text channel', () => {
  const DURATIONS = 'mediagate_upstream_call_duration_seconds';
  const FAULTS = 'mediagate_upstream_faults_total';

  it('name the channel and model of each call, and the class of its fault', async () => {
    const { ask, samples } = openLimited(1, async () => ({
      kind: 'refused',
      fault: { code: 'rate_limited', detail: 'slower' },
    }));
    await ask();
    const call = { model: MODEL.model, call: 'start' };
    expect(await samples(DURATIONS)).toEqual([
      { channel: 'text', ...call, outcome: 'fault', value: 1 },
      { channel: 'second', ...call, outcome: 'answered', value: 1 },
    ]);
    expect(await samples(FAULTS)).toEqual([{ channel: 'text', model: MODEL.model, fault: 'rate_limited', value: 1 }]);
  });

  it('say nothing of calls whose callers left', async () => {
    const { ask, samples } = openLimited(1, async () => LOST);
    await ask(AbortSignal.abort());
    expect(await samples(DURATIONS)).toEqual([]);
    expect(await samples(FAULTS)).toEqual([]);
  });

  it('count the slots that answers under way have', async () => {
    const { ask, leaveFirst, slotsInUse } = openLimited(2);
    for (let count = 0; count < 3; count += 1) await ask();
    expect(slotsInUse()).toEqual([2, 1]);
    leaveFirst();
    expect(slotsInUse()).toEqual([1, 1]);
  });
});
