import { Readable } from 'node:stream';
import { createChannelChooser } from '@mediagate/channels';
import type { Refused } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import type { TextAnswer } from '@mediagate/upstreams';
import { createTextChannels } from './text-channels';

const CHANNEL: Channel = {
  ...{ id: 'text', protocol: 'gemini', baseUrl: 'http://127.0.0.1:9', apiKey: 'key', priority: 1, weight: 1 },
  ...{ models: new Map([['text-2.5-flash', 'its name there']]), maxConcurrency: undefined, options: {} },
};
const LOST: Refused = { kind: 'refused', fault: { code: 'outcome_unknown', detail: 'the answer was lost' } };
/** More than enough to open a breaker. */
const CALLS = 10;

/** Whether the channel is still used after calls in vain whose callers stayed, or left while they were under way. */
async function usedAfter(calls: { callerLeaves: boolean }): Promise<boolean> {
  const channels = createChannelChooser([CHANNEL]);
  let caller = new AbortController();
  const call = async () => {
    if (calls.callerLeaves) caller.abort();
    return LOST;
  };
  const text = createTextChannels({ channels, upstream: { protocol: 'gemini', call } });
  for (let count = 0; count < CALLS; count += 1) {
    caller = new AbortController();
    const request = { method: 'generateContent', sse: false, body: Buffer.from('{}') } as const;
    await text.call({ ...request, model: 'text-2.5-flash', signal: caller.signal });
  }
  return channels.candidates('text-2.5-flash', []).length === 1;
}

describe('the breaker of a text channel', () => {
  it('opens when calls are lost', async () => {
    expect(await usedAfter({ callerLeaves: false })).toBe(false);
  });

  it('opens when answers break off after they have begun', async () => {
    const channels = createChannelChooser([CHANNEL]);
    const call = async (): Promise<TextAnswer> => ({
      ...{ kind: 'answer', status: 200, contentType: 'text/event-stream', body: Readable.from([]) },
    });
    const text = createTextChannels({ channels, upstream: { protocol: 'gemini', call } });
    for (let count = 0; count < CALLS; count += 1) {
      const request = { method: 'streamGenerateContent', sse: true, body: Buffer.from('{}') } as const;
      await text.call({ ...request, model: 'text-2.5-flash', signal: new AbortController().signal });
      text.failed(CHANNEL.id);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(channels.candidates('text-2.5-flash', [])).toEqual([]);
  });

  it('stays closed, however many callers hang up', async () => {
    expect(await usedAfter({ callerLeaves: true })).toBe(true);
  });
});
