import { type GenerateContentConfig, GoogleGenAI } from '@google/genai';
import { forAllTests } from '@mediagate/testkit';
import { keyOf, post, startUnderTest } from './simulator-under-test';

const model = 'gemini-2.5-flash';
let client: GoogleGenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  // With a fetch of one's own the client leaves Undici's global dispatcher alone, which Jest's sandbox does not have.
  const httpOptions = { baseUrl: `${simulator.url}/gemini`, fetch };
  client = new GoogleGenAI({ apiKey: keyOf('gemini'), httpOptions });
});
afterEach(() => simulator.reset());

const write = (contents: string, config: GenerateContentConfig = {}) =>
  client.models.generateContent({ model, contents, config });
const stream = async (contents: string, config: GenerateContentConfig = {}) => {
  const chunks = [];
  for await (const chunk of await client.models.generateContentStream({ model, contents, config })) chunks.push(chunk);
  return chunks;
};

describe("the vendor's own client", () => {
  it('gets the same text whole and bit by bit, and the same usage in the end', async () => {
    const whole = await write('Tell me of rivers');
    const chunks = await stream('Tell me of rivers');
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ text }) => text).join('')).toBe(whole.text);
    expect(chunks.at(-1)?.usageMetadata).toEqual(whole.usageMetadata);
    expect(chunks.map(({ candidates }) => candidates?.[0]?.finishReason)).toEqual([
      ...chunks.slice(1).map(() => undefined),
      'STOP',
    ]);
    expect(new Set(chunks.map(({ responseId }) => responseId)).size).toBe(1);
  });

  it.each([1, 2, 7, 40])('gets no more than %s tokens, thoughts included', async (maxOutputTokens) => {
    for (const answer of [await write('x', { maxOutputTokens }), (await stream('x', { maxOutputTokens })).at(-1)]) {
      const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer?.usageMetadata ?? {};
      expect(candidatesTokenCount + thoughtsTokenCount).toBe(maxOutputTokens);
      expect(answer?.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
    }
  });
});

const ask = (body: unknown, { method = 'generateContent', of = model } = {}) =>
  post(`${simulator.url}/gemini/v1beta/models/${of}:${method}`, {
    key: '',
    body,
    headers: { 'x-goog-api-key': keyOf('gemini') },
  });
const prompt = { contents: [{ role: 'user', parts: [{ text: 'p' }] }] };

describe('refuses as strictly as the vendor', () => {
  const config = (generationConfig: object) => ({ ...prompt, generationConfig });
  const declared = { tools: [{ functionDeclarations: [{ name: 'f' }] }] };

  it.each([
    ['no output at all', config({ maxOutputTokens: 0 })],
    ['more output than there is', config({ maxOutputTokens: 65_537 })],
    ['nine candidates', config({ candidateCount: 9 })],
    ['six stop sequences', config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] })],
    ['images of a model of text', config({ responseModalities: ['IMAGE'] })],
    ['an unknown type of answer', config({ responseMimeType: 'text/html' })],
    ['JSON and functions', { ...config({ responseMimeType: 'application/json' }), ...declared }],
    ['data that is no base64', { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: '<>' } }] }] }],
    ['too large a budget for thoughts', config({ thinkingConfig: { thinkingBudget: 24_577 } })],
    ['five million tokens', { contents: [{ parts: [{ text: 'word '.repeat(1_000_000) }] }] }],
    ['no JSON', '{'],
  ])('%s', async (_what, body) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 400, message: expect.any(String), status: 'INVALID_ARGUMENT' },
    });
    expect(await simulator.lastEntry()).toMatchObject({ accepted: false, replyStatus: 400 });
  });

  it('a model that always thinks asked not to', async () => {
    const body = config({ thinkingConfig: { thinkingBudget: 0 } });
    expect((await ask(body, { of: 'gemini-2.5-pro' })).status).toBe(400);
    expect((await ask(body)).status).toBe(200);
  });

  it('streams of the model of images, and unknown methods', async () => {
    expect((await ask(prompt, { method: 'streamGenerateContent', of: 'gemini-2.5-flash-image' })).status).toBe(404);
    expect((await ask(prompt, { method: 'embedContent' })).status).toBe(404);
  });

  it('names the version and the method in what it says of an unknown model', async () => {
    expect(await (await ask(prompt, { of: 'x' })).json()).toMatchObject({
      error: { message: expect.stringContaining('models/x is not found for API version v1beta'), status: 'NOT_FOUND' },
    });
  });
});

describe('the third generation', () => {
  const config = (generationConfig: object) => ({ ...prompt, generationConfig });
  const thinks = (thinkingConfig: object) => config({ thinkingConfig });
  const LITE = 'gemini-3.5-flash-lite';
  const FLASH = 'gemini-3.8-flash';

  it.each([
    ['two candidates', LITE, config({ candidateCount: 2 }), 'Multiple candidates'],
    ['no thoughts by a budget', FLASH, thinks({ thinkingBudget: 0 }), 'invalid argument'],
    ['minimal thoughts of a model that has none', FLASH, thinks({ thinkingLevel: 'minimal' }), 'not supported'],
    ['a level and a budget', LITE, thinks({ thinkingLevel: 'low', thinkingBudget: 8 }), 'only one of'],
    ['a model that has spoken last', LITE, { contents: [{ role: 'model', parts: [{ text: 'I' }] }] }, 'model turn'],
  ])('refuses %s', async (_what, of, body, words) => {
    const response = await ask(body, { of });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(words)]);
  });

  it('signs calls, and takes them back with their signature, or the word that skips it, alone', async () => {
    const tools = [{ functionDeclarations: [{ name: 'look' }] }];
    const user = { role: 'user', parts: [{ text: 'Use the function look' }] };
    const first = await client.models.generateContent({ model: FLASH, contents: [user], config: { tools } });
    const called = first.candidates?.[0]?.content?.parts?.find(({ functionCall }) => functionCall);
    const result = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { clear: true } } }] };
    const goOn = async (part: object) =>
      (await ask({ contents: [user, { role: 'model', parts: [part] }, result], tools }, { of: FLASH })).status;
    const { thoughtSignature: _signature, ...unsigned } = called ?? {};
    expect(await goOn(called ?? {})).toBe(200);
    expect(await goOn({ ...unsigned, thoughtSignature: 'skip_thought_signature_validator' })).toBe(200);
    expect(await goOn(unsigned)).toBe(400);
  });
});

it('refuses an array of text by an array, and events by an object', async () => {
  const busy = { contents: [{ parts: [{ text: 'x [[sim:busy]]' }] }] };
  const refusal = { error: { status: 'UNAVAILABLE' } };
  const method = 'streamGenerateContent';
  expect(await (await ask(busy, { method })).json()).toMatchObject([refusal]);
  expect(await (await ask(busy, { method: `${method}?alt=sse` })).json()).toMatchObject(refusal);
});

it('takes the names that fields have in the proto', async () => {
  const body = {
    contents: prompt.contents,
    system_instruction: { parts: [{ text: 'Speak like a sailor' }] },
    generation_config: { max_output_tokens: 4_000, thinking_config: { thinking_budget: 0 } },
  };
  const response = await ask(body);
  expect(response.status).toBe(200);
  expect(JSON.stringify(await response.json())).toContain('Speak like a sailor');
});

describe('answers that are none', () => {
  it('policy-submit is no error: nothing is generated, and the prompt is paid for', async () => {
    const blocked = await write('Eight ch [[sim:policy-submit]]');
    expect(blocked.candidates).toBeUndefined();
    expect(blocked.promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
    expect(blocked.usageMetadata).toMatchObject({ promptTokenCount: 2, totalTokenCount: 2 });
    expect(await simulator.lastEntry()).toMatchObject({ accepted: true, replyStatus: 200 });
    const [chunk, ...more] = await stream('Eight ch [[sim:policy-submit]]');
    expect([chunk?.promptFeedback?.blockReason, more]).toEqual(['PROHIBITED_CONTENT', []]);
  });

  it('policy-result ends with SAFETY, empty-result has no candidate, wrong-type is of another shape', async () => {
    expect((await write('x [[sim:policy-result]]')).candidates?.[0]).toMatchObject({ finishReason: 'SAFETY' });
    expect((await write('x [[sim:empty-result]]')).candidates).toBeUndefined();
    const contents = [{ parts: [{ text: 'x [[sim:wrong-type]]' }] }];
    expect(await (await ask({ contents })).json()).toEqual({ candidates: 'none', usageMetadata: 42 });
  });
});
