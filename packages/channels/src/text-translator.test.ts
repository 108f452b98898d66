import { Readable } from 'node:stream';
import type { Channel } from '@mediagate/settings';
import { type CallContext, streamedText, type TextCall, type TextUpstream } from '@mediagate/upstreams';
import { testChannel } from '../test/test-channel';
import { createChannelChooser } from './channel-chooser';
import { createTextTranslator } from './text-translator';

function channel(id: string, protocol: string, model: string): Channel {
  return testChannel(id, { protocol, models: new Map([[model, `${model}-of-vendor`]]) });
}

const CHANNELS = [
  channel('pro', 'gemini', 'text-2.5-pro'),
  channel('odd', 'another', 'text-2.5-flash'),
  channel('flash', 'gemini', 'text-2.5-flash'),
];
const NO_HURRY = new AbortController().signal;

/** A translator over an upstream that answers with this, and what the upstream was asked. */
function translatorOver(answer: unknown, channels: readonly Channel[] = CHANNELS) {
  const asked: (TextCall & CallContext)[] = [];
  const upstream: TextUpstream = {
    protocol: 'gemini',
    imageTypes: [],
    async call(call, context) {
      asked.push({ ...call, ...context });
      if (answer === undefined) return { kind: 'refused', fault: { code: 'rate_limited', detail: 'no' } };
      const body = Readable.from([Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))]);
      return streamedText('application/json', body);
    },
  };
  const models = ['text-2.0-own', 'text-2.5-flash', 'text-2.5-pro'];
  const calls = { measure: <Reply>(_call: unknown, ask: () => Promise<Reply>) => ask() };
  const translate = createTextTranslator({ channels: createChannelChooser(channels), upstream, models, calls });
  return { asked, translate };
}

const said = (...parts: object[]) => ({ candidates: [{ content: { parts } }] });

describe('the translator', () => {
  it('asks the first channel of the protocol that serves the quick model', async () => {
    const { asked, translate } = translatorOver(said({ text: 'Kein ' }, { text: 'Licht.' }));
    expect(await translate('No light.', 'de', NO_HURRY)).toBe('Kein Licht.');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'generateContent',
      sse: false,
      signal: NO_HURRY,
      endpoint: { channelId: 'flash', model: 'text-2.5-flash-of-vendor' },
    });
    const body = JSON.parse(String(asked[0]?.body));
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'No light.' }] }]);
    expect(body.systemInstruction.parts[0].text).toContain('into German');
  });

  it('asks another model where nobody serves the quick one', async () => {
    const { asked, translate } = translatorOver(said({ text: 'x' }), CHANNELS.slice(0, 2));
    await translate('No light.', 'fr', NO_HURRY);
    expect(asked[0]?.endpoint.channelId).toBe('pro');
  });

  it('leaves thoughts out', async () => {
    const { translate } = translatorOver(said({ text: 'Hm.', thought: true }, { text: 'Kein Licht.' }));
    expect(await translate('No light.', 'de', NO_HURRY)).toBe('Kein Licht.');
  });

  it.each<[string, unknown, readonly Channel[]]>([
    ['there is no channel', said({ text: 'x' }), []],
    ['it is refused', undefined, CHANNELS],
    ['the prompt was blocked', { promptFeedback: { blockReason: 'SAFETY' } }, CHANNELS],
    ['the answer is no JSON', '<html>', CHANNELS],
    ['the answer is far too long', said({ text: 'x'.repeat(300 * 1024) }), CHANNELS],
  ])('fails where %s', async (_why, answer, channels) => {
    await expect(translatorOver(answer, channels).translate('No light.', 'de', NO_HURRY)).rejects.toThrow();
  });
});
