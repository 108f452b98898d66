import { ApiError, FunctionCallingConfigMode, type GenerateContentConfig, GoogleGenAI, Type } from '@google/genai';
import { keyOf, post, type SimulatorUnderTest, startUnderTest } from './simulator-under-test';

const model = 'gemini-2.5-flash';
let simulator: SimulatorUnderTest;
let client: GoogleGenAI;

beforeAll(async () => {
  simulator = await startUnderTest();
  // With a fetch of one's own the client leaves Undici's global dispatcher alone, which Jest's sandbox does not have.
  const httpOptions = { baseUrl: `${simulator.url}/gemini`, fetch };
  client = new GoogleGenAI({ apiKey: keyOf('gemini'), httpOptions });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const write = (contents: string, config: GenerateContentConfig = {}) =>
  client.models.generateContent({ model, contents, config });
const stream = async (contents: string, config: GenerateContentConfig = {}) => {
  const chunks = [];
  for await (const chunk of await client.models.generateContentStream({ model, contents, config })) chunks.push(chunk);
  return chunks;
};
const withoutThinking = { thinkingConfig: { thinkingBudget: 0 } };
const tokens = (text: string | undefined) => Math.ceil((text ?? '').length / 4);

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

  it('has in each chunk what was produced up to then', async () => {
    let said = '';
    for (const { text, usageMetadata } of await stream('Tell me of rivers', withoutThinking)) {
      said += text;
      expect(usageMetadata).toMatchObject({ promptTokenCount: 5, candidatesTokenCount: tokens(said) });
      expect(usageMetadata?.totalTokenCount).toBe(5 + tokens(said));
    }
  });

  it('has what can be counted from the characters', async () => {
    const { text, usageMetadata, modelVersion } = await write('Tell me of rivers', { systemInstruction: 'Be kind.' });
    expect(modelVersion).toBe(model);
    const { thoughtsTokenCount = 0, ...counted } = usageMetadata ?? {};
    expect(thoughtsTokenCount).toBeGreaterThan(0);
    expect(counted).toEqual({
      promptTokenCount: tokens('Tell me of riversBe kind.'),
      candidatesTokenCount: tokens(text),
      totalTokenCount: tokens('Tell me of riversBe kind.') + tokens(text) + thoughtsTokenCount,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens('Tell me of riversBe kind.') }],
    });
  });

  it('pays for no thoughts when there is no budget for them, and sees them when it asks', async () => {
    expect((await write('x', withoutThinking)).usageMetadata?.thoughtsTokenCount).toBeUndefined();
    const { candidates, usageMetadata } = await write('x', { thinkingConfig: { includeThoughts: true } });
    const [thought, answer] = candidates?.[0]?.content?.parts ?? [];
    expect([thought?.thought, answer?.thought]).toEqual([true, undefined]);
    expect(usageMetadata?.thoughtsTokenCount).toBe(tokens(thought?.text));
  });

  it('gets the same answer again, another for another seed, and as many candidates as it wants', async () => {
    expect((await write('x')).text).toBe((await write('x')).text);
    expect((await write('x', { seed: 7 })).text).not.toBe((await write('x')).text);
    const { candidates, usageMetadata } = await write('x', { candidateCount: 3, ...withoutThinking });
    const texts = candidates?.map(({ content }) => content?.parts?.[0]?.text) ?? [];
    expect(new Set(texts).size).toBe(3);
    expect(candidates?.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(usageMetadata?.candidatesTokenCount).toBe(texts.reduce((sum, text) => sum + tokens(text), 0));
  });

  it.each([1, 2, 7, 40])('gets no more than %s tokens, thoughts included', async (maxOutputTokens) => {
    for (const answer of [await write('x', { maxOutputTokens }), (await stream('x', { maxOutputTokens })).at(-1)]) {
      const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer?.usageMetadata ?? {};
      expect(candidatesTokenCount + thoughtsTokenCount).toBe(maxOutputTokens);
      expect(answer?.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
    }
  });

  it('is obeyed in the length, the instruction, and where to stop', async () => {
    expect((await write('in 300 words')).text?.split(' ').length).toBeGreaterThanOrEqual(300);
    expect((await write('x', { systemInstruction: 'Speak like a sailor' })).text).toContain('“Speak like a sailor”');
    const whole = (await write('x')).text ?? '';
    const stopped = await write('x', { stopSequences: ['never there', '. '] });
    expect(stopped.text).toBe(whole.slice(0, whole.indexOf('. ')));
    expect(stopped.candidates?.[0]?.finishReason).toBe('STOP');
  });

  it('gets JSON, of a shape of its own too, and one of a choice', async () => {
    const json = { responseMimeType: 'application/json' };
    expect(JSON.parse((await write('x', json)).text ?? '')).toEqual({ answer: expect.any(String) });
    const properties = {
      title: { type: Type.STRING },
      year: { type: Type.INTEGER, minimum: 1900, maximum: 2000 },
      tags: { type: Type.ARRAY, items: { type: Type.STRING, enum: ['a', 'b'] }, minItems: '3' },
    };
    const responseSchema = { type: Type.OBJECT, properties };
    const shaped = JSON.parse((await write('x', { ...json, responseSchema })).text ?? '');
    expect(shaped).toEqual({ title: expect.any(String), year: expect.any(Number), tags: expect.any(Array) });
    expect(shaped.year).toBeGreaterThanOrEqual(1900);
    expect(shaped.year).toBeLessThanOrEqual(2000);
    expect(shaped.tags).toHaveLength(3);
    expect(['a', 'b']).toEqual(expect.arrayContaining(shaped.tags));
    const choice = { responseMimeType: 'text/x.enum', responseSchema: { type: Type.STRING, enum: ['yes', 'no'] } };
    expect(['yes', 'no']).toContain((await write('x', choice)).text);
  });

  it('is asked to call a function when the prompt names it, or when it must be, and receives what it returned', async () => {
    const parameters = { type: Type.OBJECT, properties: { city: { type: Type.STRING }, days: { type: Type.INTEGER } } };
    const tools = [{ functionDeclarations: [{ name: 'get_time' }, { name: 'get_weather', parameters }] }];
    const named = await write('What says get_weather of Bern?', { tools });
    expect(named.functionCalls).toEqual([
      { name: 'get_weather', args: { city: 'What says get_weather of Bern?', days: expect.any(Number) } },
    ]);
    expect((await write('What says the sky?', { tools })).functionCalls).toBeUndefined();
    const mode = FunctionCallingConfigMode.ANY;
    const functionCallingConfig = { mode, allowedFunctionNames: ['get_time'] };
    const forced = await write('x', { tools, toolConfig: { functionCallingConfig } });
    expect(forced.functionCalls).toEqual([{ name: 'get_time', args: {} }]);
    const answered = await client.models.generateContent({
      model,
      contents: [
        { role: 'user', parts: [{ text: 'What says get_weather of Bern?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { sky: 'clear' } } }] },
      ],
      config: { tools },
    });
    expect(answered.text).toContain('"sky":"clear"');
    const [only, ...more] = await stream('What says get_weather of Bern?', { tools });
    expect([only?.functionCalls, more]).toEqual([named.functionCalls, []]);
  });

  it.each([
    ['Translate into French: Good evening', undefined, '[French] Good evening'],
    [
      'Please translate the following text to Simplified Chinese.\n"Good\nevening"',
      undefined,
      '[Simplified Chinese] Good\nevening',
    ],
    [
      'Good evening: come in',
      'Translate what the user says into Japanese. Answer with the translation alone.',
      '[Japanese] Good evening: come in',
    ],
    ['Good evening', 'Translate. Target language: German.', '[German] Good evening'],
    ['Good evening', 'You are a translator. Translate to "pt-BR".', '[pt-BR] Good evening'],
  ])('gets %j with %j translated as %j', async (prompt, systemInstruction, translated) => {
    expect((await write(prompt, systemInstruction === undefined ? {} : { systemInstruction })).text).toBe(translated);
  });

  it('counts the tokens that an answer would be charged for', async () => {
    const contents = 'Tell me of rivers';
    expect((await client.models.countTokens({ model, contents })).totalTokens).toBe(5);
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const withImage = await client.models.countTokens({ model, contents: [{ text: contents }, image] });
    expect(withImage.totalTokens).toBe(5 + 258);
    expect(await simulator.lastEntry()).toMatchObject({ operation: 'question', accepted: false, replyStatus: 200 });
  });

  it('finds out which models there are', async () => {
    const names = (await client.models.list()).page.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['models/gemini-2.5-flash', 'models/gemini-2.5-pro']));
    expect(await client.models.get({ model })).toMatchObject({ name: `models/${model}`, outputTokenLimit: 65_536 });
    await expect(client.models.get({ model: 'gemini-imaginary' })).rejects.toMatchObject({ status: 404 });
  });

  it('reads a refusal as its own error', async () => {
    const order = { model: 'gemini-imaginary', contents: 'x' };
    const { models } = client;
    for (const ask of [models.generateContent, models.generateContentStream, models.countTokens.bind(models)]) {
      const attempt: Promise<unknown> = ask(order);
      await expect(attempt).rejects.toBeInstanceOf(ApiError);
      await expect(attempt).rejects.toMatchObject({ status: 404 });
    }
  });
});

const ask = (body: unknown, { key = keyOf('gemini'), method = 'generateContent', of = model } = {}) =>
  post(`${simulator.url}/gemini/v1beta/models/${of}:${method}`, {
    key: '',
    body,
    headers: key === '' ? {} : { 'x-goog-api-key': key },
  });
const prompt = { contents: [{ role: 'user', parts: [{ text: 'p' }] }] };

describe('refuses as strictly as the vendor', () => {
  const config = (generationConfig: object) => ({ ...prompt, generationConfig });
  const declared = { tools: [{ functionDeclarations: [{ name: 'f' }] }] };

  it.each([
    ['no contents', {}],
    ['a content without parts', { contents: [{ role: 'user' }] }],
    ['a part without data', { contents: [{ parts: [{}] }] }],
    ['an unknown field', { ...prompt, messages: [] }],
    ['an unknown field of the configuration', config({ max_tokens: 5 })],
    ['a number as text', config({ maxOutputTokens: '5' })],
    ['no output at all', config({ maxOutputTokens: 0 })],
    ['more output than there is', config({ maxOutputTokens: 65_537 })],
    ['nine candidates', config({ candidateCount: 9 })],
    ['six stop sequences', config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] })],
    ['images of a model of text', config({ responseModalities: ['IMAGE'] })],
    ['an unknown type of answer', config({ responseMimeType: 'text/html' })],
    ['JSON and functions', { ...config({ responseMimeType: 'application/json' }), ...declared }],
    ['a function without a name', { ...prompt, tools: [{ functionDeclarations: [{}] }] }],
    ['an unknown role', { contents: [{ role: 'assistant', parts: [{ text: 'p' }] }] }],
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

  it('a wrong key with 400, a missing one with 403', async () => {
    expect([(await ask(prompt, { key: 'x' })).status, (await ask(prompt, { key: '' })).status]).toEqual([400, 403]);
  });

  it('names the version and the method in what it says of an unknown model', async () => {
    expect(await (await ask(prompt, { of: 'x' })).json()).toMatchObject({
      error: { message: expect.stringContaining('models/x is not found for API version v1beta'), status: 'NOT_FOUND' },
    });
  });
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
