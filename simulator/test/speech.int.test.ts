import { forAllTests } from '@mediagate/testkit';
import OpenAI, { APIError } from 'openai';
import { keyOf, post, startUnderTest } from './simulator-under-test';

let client: OpenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  client = clientOf(simulator);
});
afterEach(() => simulator.reset());

type Order = Partial<OpenAI.Audio.SpeechCreateParams>;

const model = 'gpt-4o-mini-tts';
const text = 'The gate is open, and the evening train leaves at nine.';
const clientOf = ({ url }: { url: string }) =>
  new OpenAI({ apiKey: keyOf('openai'), baseURL: `${url}/openai/v1`, maxRetries: 0 });
const say = async (input: string, order: Order = {}, speaker = client) => {
  const response = await speaker.audio.speech.create({ model, voice: 'alloy', input, ...order });
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
};

it('the same order gives the same bytes on another machine', async () => {
  const other = await startUnderTest();
  for (const format of ['mp3', 'wav', 'opus', 'aac', 'flac', 'pcm'] as const) {
    const order = { response_format: format, voice: 'fable', speed: 1.5 };
    const [here, there] = [await say(text, order), await say(text, order, clientOf(other))];
    expect([format, here.bytes.equals(there.bytes)]).toEqual([format, true]);
  }
  await other.close();
});

describe('refuses as strictly as the vendor', () => {
  const ask = (body: object, key: string = keyOf('openai')) =>
    post(`${simulator.url}/openai/v1/audio/speech`, { key, body });
  const order = { model, input: 'p', voice: 'alloy' };

  it.each([
    ['no voice', { model, input: 'p' }, "'type': 'missing', 'loc': ('body', 'voice')"],
    ['an empty text', { ...order, input: '' }, "'type': 'string_too_short'"],
    ['4,097 characters', { ...order, input: 'x'.repeat(4_097) }, 'String should have at most 4096 characters'],
    ['too slow a speed', { ...order, speed: 0.2 }, 'greater than or equal to 0.25'],
    ['an unknown field', { ...order, tone: 'x' }, "'type': 'extra_forbidden'"],
    ['instructions for an older model', { ...order, model: 'tts-1', instructions: 'softly' }, "'instructions'"],
    ['events', { ...order, stream_format: 'sse' }, "'stream_format'"],
    ['a newer voice of an older model', { ...order, model: 'tts-1', voice: 'cedar' }, "'loc': ('body', 'voice')"],
  ])('%s', async (_what, body, words) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringContaining(words) },
    });
    expect(await simulator.lastEntry()).toMatchObject({ accepted: false, replyStatus: 400 });
  });

  it('an unknown model', async () => {
    const response = await ask({ ...order, model: 'tts-9' });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 404,
      body: { error: { code: 'model_not_found' } },
    });
  });

  it('a wrong key', async () => {
    const response = await ask(order, 'sk-wrong');
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key' } },
    });
    const attempt = new OpenAI({ apiKey: 'x', baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
    await expect(attempt.audio.speech.create({ ...order })).rejects.toBeInstanceOf(APIError);
  });

  it('but neither 4,096 characters of several bytes, nor nulls for what is optional', async () => {
    expect((await ask({ ...order, input: '…'.repeat(4_096) })).status).toBe(200);
    expect((await ask({ ...order, speed: null, response_format: null, instructions: null })).status).toBe(200);
  });
});
