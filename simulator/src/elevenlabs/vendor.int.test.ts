import { join } from 'node:path';
import { askClient, forAllTests } from '@mediagate/testkit';
import { keyOf, startUnderTest } from '../../test/simulator-under-test';

const simulator = forAllTests(startUnderTest);

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
  return askClient(program, `${simulator.url}/elevenlabs`, key, JSON.stringify(calls));
}

const SARAH = 'EXAVITQu4vr4xnSDxMaL';
const TEXT = 'The gate is open, and the evening train leaves at nine.';
const speech = { method: 'speech', voice: SARAH, text: TEXT };

describe("the vendor's own client", () => {
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
