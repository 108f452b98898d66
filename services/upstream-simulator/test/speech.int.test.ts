import OpenAI from 'openai';
import { keys, type SimulatorUnderTest, startUnderTest } from './simulator-under-test';
import { decode } from './sounds';

let simulator: SimulatorUnderTest;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startUnderTest();
  client = new OpenAI({ apiKey: keys.openai, baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const model = 'gpt-4o-mini-tts';
const text = 'The gate is open, and the evening train leaves at nine.';
const say = async (input: string, more: Partial<OpenAI.Audio.SpeechCreateParams> = {}) => {
  const response = await client.audio.speech.create({ model, voice: 'alloy', input, ...more });
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
};

describe("the vendor's own client", () => {
  it.each([
    ['mp3', 'audio/mpeg', 'mp3'],
    ['wav', 'audio/wav', 'pcm_s16le'],
    ['opus', 'audio/opus', 'opus'],
    ['aac', 'audio/aac', 'aac'],
    ['flac', 'audio/flac', 'flac'],
  ] as const)('gets %s that decodes', async (format, type, codec) => {
    const said = await say(text, { response_format: format });
    expect(said.type).toBe(type);
    const sound = await decode(said.bytes, { openEnd: format === 'wav' });
    expect(sound.codec).toBe(codec);
    expect(sound.seconds).toBeGreaterThan(2);
  });
});
