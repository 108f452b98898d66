import { forAllTests } from '@mediagate/testkit';
import type OpenAI from 'openai';
import { keyOf, post, startUnderTest } from './simulator-under-test';

const simulator = forAllTests(startUnderTest);
afterEach(() => simulator.reset());

interface Options {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A small valid call of each wire with that prompt. */
const calls = {
  openai: (prompt: string, { headers = {}, ...options }: Options = {}) =>
    post(`${simulator.url}/openai/v1/images/generations`, {
      key: keyOf('openai'),
      headers,
      body: { model: 'gpt-image-2', prompt, size: '1024x1024', n: 4 },
      ...options,
    }),
  gemini: (prompt: string, { headers = {} }: Options = {}) =>
    post(`${simulator.url}/gemini/v1beta/models/gemini-2.5-flash-image:generateContent`, {
      key: '',
      headers: { 'x-goog-api-key': keyOf('gemini'), ...headers },
      body: {
        contents: [{ role: 'user', parts: [{ text: prompt }] }],
        generationConfig: { responseModalities: ['IMAGE'] },
      },
    }),
  ark: (prompt: string, { headers = {} }: Options = {}) =>
    post(`${simulator.url}/ark/api/v3/images/generations`, {
      key: keyOf('ark'),
      headers,
      body: { model: 'seedream-4-0-250828', prompt, size: '1K' },
    }),
};
type WireName = keyof typeof calls;

const answerOf = async (response: Response) => ({ status: response.status, body: (await response.json()) as object });
const acceptedCalls = async () => (await simulator.journal()).filter((entry) => entry.accepted).length;

describe('spoiled answers after accepted work', () => {
  it('partial=2/4 gives two of four images in one call, and charges for two', async () => {
    const { body } = (await answerOf(await calls.openai('x [[sim:partial=2/4]]'))) as { body: OpenAI.ImagesResponse };
    expect(body.data).toHaveLength(2);
    expect(body.usage?.output_tokens).toBe(2 * 1_756);
  });

  it('partial=2/4 gives two of four calls where a call makes one image', async () => {
    const outcomes: unknown[] = [];
    for (let call = 0; call < 4; call += 1) {
      const { body } = (await answerOf(await calls.ark('x [[sim:partial=2/4]]'))) as {
        body: { usage: { generated_images: number } };
      };
      outcomes.push(body.usage.generated_images);
    }
    expect(outcomes).toEqual([1, 1, 0, 0]);
  });
});

describe('how faults are chosen', () => {
  const statuses = async (wire: WireName, prompt: string, times: number, options: Options = {}) => {
    const seen: (number | 'cut')[] = [];
    for (let call = 0; call < times; call += 1) {
      seen.push(
        await calls[wire](prompt, options).then(
          (response) => response.status,
          () => 'cut' as const,
        ),
      );
    }
    return seen;
  };

  it('a counted fault clears after its hits, for each job apart', async () => {
    expect(await statuses('ark', 'one [[sim:5xx=503*2]]', 3)).toEqual([503, 503, 200]);
    expect(await statuses('ark', 'two [[sim:5xx=503*2]]', 1)).toEqual([503]);
  });

  it('counted faults of one list strike one after the other', async () => {
    expect(await statuses('ark', 'x [[sim:rate-limit*2,reset-after*1,busy*1]]', 5)).toEqual([
      429,
      429,
      429,
      'cut',
      200,
    ]);
    expect(await acceptedCalls()).toBe(2);
  });

  it('the directive is not drawn and not counted', async () => {
    const [plain, spoken] = await Promise.all(
      ['a fox', 'a [[sim:latency=1ms]] fox'].map(
        async (prompt) => (await answerOf(await calls.openai(prompt))).body as OpenAI.ImagesResponse,
      ),
    );
    expect(spoken?.data?.[0]?.b64_json).toBe(plain?.data?.[0]?.b64_json);
    expect(spoken?.usage).toEqual(plain?.usage);
  });

  it('a misspelt scenario is warned of, and the rest of the list strikes', async () => {
    expect(await statuses('ark', 'x [[sim:ratelimit,busy,latency]]', 1)).toEqual([429]);
    expect((await simulator.lastEntry()).warnings).toEqual([
      "unknown scenario 'ratelimit'",
      "scenario 'latency' has a wrong argument ''",
    ]);
  });

  it.each([
    ['a scenario that does not exist', { rules: [{ scenario: 'nope' }] }],
    ['a field that does not exist', { rules: [{ scenario: 'busy', when: 'always' }] }],
    ['a pattern that is none', { rules: [{ scenario: 'busy', match: { prompt: '(' } }] }],
  ])('rules are refused with %s', async (_what, body) => {
    const response = await fetch(`${simulator.url}/__sim/rules`, { method: 'PUT', body: JSON.stringify(body) });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: { error: expect.any(String) },
    });
  });

  it('rules match by wire, path and prompt', async () => {
    const asked = async () => [
      ...(await statuses('ark', 'storm', 1)),
      ...(await statuses('ark', 'calm', 1)),
      ...(await statuses('gemini', 'storm', 1)),
    ];
    const match = { wire: 'ark', path: '/images/', prompt: '^storm' };
    await simulator.setRules([{ match, scenario: 'busy' }]);
    expect(await asked()).toEqual([429, 200, 200]);
    await simulator.setRules([{ match: { ...match, path: '/videos/' }, scenario: 'busy' }]);
    expect(await asked()).toEqual([200, 200, 200]);
  });

  it('a rule counts for each job apart, or over all it matches', async () => {
    await simulator.setRules([{ scenario: 'busy*1' }]);
    expect([...(await statuses('ark', 'a', 2)), ...(await statuses('ark', 'b', 2))]).toEqual([429, 200, 429, 200]);
    await simulator.setRules([{ scenario: 'busy*1', per: 'rule' }]);
    expect([...(await statuses('ark', 'a', 2)), ...(await statuses('ark', 'b', 2))]).toEqual([429, 200, 200, 200]);
  });
});
