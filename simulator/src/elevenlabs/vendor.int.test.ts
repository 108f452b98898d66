import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keyOf, type SimulatorUnderTest, startUnderTest } from '../../test/simulator-under-test';
import { decode } from '../../test/sounds';

let simulator: SimulatorUnderTest;

beforeAll(async () => {
  simulator = await startUnderTest();
});
afterAll(() => simulator.close());

interface Verdict {
  base64: string;
  type: string;
  credits: string | null;
  data: Record<string, unknown>;
  error: { statusCode: number; body: { detail: Record<string, unknown> } };
}

const KEY = keyOf('elevenlabs');

/** The vendor's own client says what it makes of the answers. */
async function judge(calls: readonly object[], key = KEY): Promise<Verdict[]> {
  const program = join(__dirname, '../../test/elevenlabs-client.mjs');
  const args = [program, `${simulator.url}/elevenlabs`, key, JSON.stringify(calls)];
  const limits = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, limits);
  return JSON.parse(stdout) as Verdict[];
}

const SARAH = 'EXAVITQu4vr4xnSDxMaL';
const TEXT = 'The gate is open, and the evening train leaves at nine.';
const speech = { method: 'speech', voice: SARAH, text: TEXT };
const heard = ({ base64 }: Verdict) => decode(Buffer.from(base64, 'base64'));

describe("the vendor's own client", () => {
  it('gets speech in the formats that it asks for, with what it costs', async () => {
    const [plain, opus, pcm, slow] = (await judge([
      speech,
      { ...speech, outputFormat: 'opus_48000_64', modelId: 'eleven_flash_v2_5' },
      { ...speech, outputFormat: 'pcm_24000' },
      { ...speech, voiceSettings: { speed: 0.7 } },
    ])) as [Verdict, Verdict, Verdict, Verdict];
    expect(plain).toMatchObject({ type: 'audio/mpeg', credits: String(TEXT.length) });
    expect(opus).toMatchObject({ type: 'audio/opus', credits: String(Math.ceil(TEXT.length / 2)) });
    const [sound, small, longer] = [await heard(plain), await heard(opus), await heard(slow)];
    expect([sound.codec, small.codec]).toEqual(['mp3', 'opus']);
    expect(small.seconds).toBeCloseTo(sound.seconds, 0);
    expect(Buffer.from(pcm.base64, 'base64').length / 48_000).toBeCloseTo(sound.seconds, 0);
    expect(longer.seconds / sound.seconds).toBeGreaterThan(1.25);
  });

  it('gets tracks and sounds as long as it asks for', async () => {
    const [track, sound, loop, refused] = (await judge([
      { method: 'music', prompt: 'A slow waltz', musicLengthMs: 5_000, modelId: 'music_v2', forceInstrumental: true },
      { method: 'sound', text: 'A foghorn' },
      { method: 'sound', text: 'Rain', durationSeconds: 2.5, loop: true },
      { method: 'music', prompt: 'As a famous singer [[sim:policy-submit]]' },
    ])) as [Verdict, Verdict, Verdict, Verdict];
    expect((await heard(track)).seconds).toBeCloseTo(5, 0);
    expect((await heard(sound)).codec).toBe('mp3');
    expect((await heard(loop)).seconds).toBeCloseTo(2.5, 0);
    expect([track.credits, sound.credits, loop.credits]).toEqual([null, '100', '50']);
    expect(refused.error.body.detail).toMatchObject({
      status: 'bad_prompt',
      data: { prompt_suggestion: expect.any(String) },
    });
  });

  it('reads the account and the models of speech', async () => {
    const [account, models] = await judge([{ method: 'subscription' }, { method: 'models' }]);
    expect(account?.data).toMatchObject({ characterCount: 12_000, characterLimit: 112_000 });
    expect(models?.data).toContainEqual(expect.objectContaining({ modelId: 'eleven_flash_v2_5' }));
  });

  it('understands what is refused', async () => {
    const verdicts = await judge([
      { ...speech, voice: 'nobody' },
      { ...speech, modelId: 'eleven_turbo_v9' },
      { ...speech, text: ' ' },
      { ...speech, text: 'x'.repeat(10_001) },
      { ...speech, voiceSettings: { speed: 1.5 } },
      ...['concurrency', 'quota', 'balance', 'busy', '5xx', 'policy-submit', 'retired', 'new-users'].map((fault) => ({
        ...speech,
        text: `${TEXT} [[sim:${fault}]]`,
      })),
    ]);
    expect(verdicts.map(({ error }) => [error.statusCode, error.body.detail['status']])).toEqual([
      [404, 'voice_not_found'],
      [404, 'model_not_found'],
      [400, 'empty_text'],
      [400, 'text_too_long'],
      [400, 'invalid_voice_settings'],
      [429, 'too_many_concurrent_requests'],
      [401, 'quota_exceeded'],
      [402, 'insufficient_credits'],
      [429, 'system_busy'],
      [500, 'internal_error'],
      [403, 'content_against_policy'],
      [404, 'model_not_found'],
      [403, 'model_access_denied'],
    ]);
    const [unknown] = await judge([speech], 'sim-elevenlabs-other');
    expect(unknown?.error).toMatchObject({ statusCode: 401, body: { detail: { code: 'invalid_api_key' } } });
  });
});

it('what does not fit the schema is found by the validator of its making', async () => {
  const post = (query: string, body: object) =>
    fetch(`${simulator.url}/elevenlabs/v1/text-to-speech/${SARAH}/stream${query}`, {
      method: 'POST',
      headers: { 'xi-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const findings = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as Verdict['error']['body']).detail,
  ];
  const wave = await findings(await post('?output_format=wav_24000', { text: TEXT }));
  expect(wave).toMatchObject([422, [{ type: 'enum', loc: ['query', 'output_format'] }]]);
  expect(await findings(await post('', {}))).toMatchObject([422, [{ type: 'missing', loc: ['body', 'text'] }]]);
});
