import type { JsonObject } from '@mediagate/contracts';
import { modelUnderTest } from './model-under-test';
import { refuse } from './parsing';

const LIMIT = 65_536;
const WINDOW = 1_048_576;
const contents = [{ role: 'user', parts: [{ text: 'abcd' }] }];
const { input, refused, reserved, settled, entry } = modelUnderTest('text-2.5-flash', { contents });

/** Rates that make of a price a count of tokens. */
const ONLY_INPUT = { text_input: 1_000_000n, cached_text_input: 0n, text_output: 0n };
const ONLY_OUTPUT = { text_input: 0n, cached_text_input: 0n, text_output: 1_000_000n };
const inputTokens = (body: JsonObject) => Number(reserved(body, ONLY_INPUT));
const outputTokens = (body: JsonObject) => Number(reserved(body, ONLY_OUTPUT));
const KINDS = 'text, inlineData, fileData, functionCall, functionResponse, executableCode, codeExecutionResult';
const said = (...parts: JsonObject[]) => ({ contents: [{ parts }] });

describe('what is refused before anything is paid for', () => {
  it.each<[string, JsonObject, string]>([
    ['contents[1].parts is required', { contents: [...contents, { role: 'user' }] }, 'contents[1].parts'],
    [
      'generationConfig.candidateCount must be from 1 to 8',
      { generation_config: { candidate_count: 0 } },
      'generationConfig.candidateCount',
    ],
    ['contents[0].parts[0].text must be a string', said({ text: 7 }), 'contents[0].parts[0].text'],
    ['contents[0].parts[1].text must be a string', said({ text: 'x' }, { text: ['y'] }), 'contents[0].parts[1].text'],
    ...[
      {},
      { text: null },
      { thought: true, thoughtSignature: 'c2ln', videoMetadata: { fps: 1 } },
      { inline_data: null, unheardOf: null },
    ].map((part): [string, JsonObject, string] => [
      `contents[0].parts[1] must hold one of ${KINDS}`,
      said({ text: 'x' }, part),
      'contents[0].parts[1]',
    ]),
    [
      'contents[0].parts[0] must hold only one of text and inline_data',
      said({ text: 'x', inline_data: { mime_type: 'image/png', data: 'AAAA' } }),
      'contents[0].parts[0]',
    ],
    [
      'contents[1].parts[0] must hold only one of functionCall and functionResponse',
      { contents: [...contents, { parts: [{ functionCall: { name: 'a' }, functionResponse: { name: 'a' } }] }] },
      'contents[1].parts[0]',
    ],
    [
      `systemInstruction.parts[0] must hold one of ${KINDS}`,
      { systemInstruction: { parts: [{}] } },
      'systemInstruction.parts[0]',
    ],
    [
      `systemInstruction.parts must hold one of ${KINDS}`,
      { system_instruction: { parts: { text: null } } },
      'systemInstruction.parts',
    ],
    ...['wizard', 'User', ' user', 'system', 'assistant'].map((role): [string, JsonObject, string] => [
      'contents[0].role must be user, model or function',
      { contents: [{ role, parts: [{ text: 'x' }] }] },
      'contents[0].role',
    ]),
    [
      'systemInstruction.role must be user, model or system',
      { systemInstruction: { role: 'wizard', parts: [{ text: 'x' }] } },
      'systemInstruction.role',
    ],
    ...[
      '!!',
      'AAAA!',
      'A',
      'AAAAA',
      'AA=',
      'AA=A',
      '====',
      'AAA=AAAA',
      'data:image/png;base64,AAAA',
      'AAAA\n',
      'ä',
    ].map((data): [string, JsonObject, string] => [
      'contents[0].parts[0].inlineData.data must be base64',
      said({ inlineData: { mimeType: 'image/png', data } }),
      'contents[0].parts[0].inlineData.data',
    ]),
    [
      'contents[0].parts[0].inline_data.data must be base64',
      said({ inline_data: { mime_type: 'image/png', data: '!!' } }),
      'contents[0].parts[0].inline_data.data',
    ],
    [
      'contents[0].parts[0].inlineData.data is required',
      said({ inlineData: { mimeType: 'image/png' } }),
      'contents[0].parts[0].inlineData.data',
    ],
    [
      'systemInstruction.parts must be an array or an object',
      { systemInstruction: { parts: 'Be brief.' } },
      'systemInstruction.parts',
    ],
    [
      'systemInstruction.parts.text must be a string',
      { system_instruction: { parts: { text: 7 } } },
      'systemInstruction.parts.text',
    ],
  ])('%s', (message, body, param) => {
    expect(refused(body)).toMatchObject({ code: 'invalid_request', message, param });
  });

  it('contents is required', () => {
    expect(refuse(entry, { systemInstruction: { parts: [{ text: 'x' }] } }).message).toBe('contents is required');
  });
});

/** A list of a body, by its path: so many items of the kind that it takes. */
const LISTS: readonly (readonly [path: string, limit: number, bodyOf: (items: unknown[]) => object, item: unknown])[] =
  [
    ['contents', 2048, (items) => ({ contents: items }), contents[0]],
    ['contents[0].parts', 4096, (parts) => ({ contents: [{ parts }] }), { text: 'x' }],
    ['systemInstruction.parts', 4096, (parts) => ({ systemInstruction: { parts } }), { text: 'x' }],
    ['tools', 128, (tools) => ({ tools }), {}],
    ['tools[0].functionDeclarations', 512, (items) => ({ tools: [{ functionDeclarations: items }] }), { name: 'f' }],
    [
      'toolConfig.functionCallingConfig.allowedFunctionNames',
      512,
      (allowedFunctionNames) => ({ toolConfig: { functionCallingConfig: { allowedFunctionNames } } }),
      'f',
    ],
    ['generationConfig.stopSequences', 5, (stopSequences) => ({ generationConfig: { stopSequences } }), 'x'],
    [
      'generationConfig.responseModalities',
      8,
      (items) => ({ generationConfig: { responseModalities: items } }),
      'TEXT',
    ],
    ['safetySettings', 32, (safetySettings) => ({ safetySettings }), {}],
  ];

it.each(LISTS)(
  '%s has %d items at most: one more is refused by the field and the limit',
  (path, limit, bodyOf, item) => {
    const bodyWith = (count: number) => ({ contents, ...bodyOf(Array(count).fill(item)) }) as JsonObject;
    expect(entry.parse(bodyWith(limit))).toMatchObject({ ok: true });
    expect(refuse(entry, bodyWith(limit + 1))).toMatchObject({
      param: path,
      message: `${path} must have at most ${limit} items`,
    });
  },
);

it('accepts every documented field, null for those that clients leave unset, and unknown ones', () => {
  const schema = { type: 'OBJECT', properties: { hours: { type: 'ARRAY', items: { type: 'INTEGER' } } } };
  const parts: JsonObject[] = [
    { text: 'x', thought: false, thoughtSignature: 'c2ln' },
    { text: '', inlineData: null },
    {
      inlineData: { mimeType: 'video/mp4', data: 'AAAA', displayName: 'a video' },
      videoMetadata: { fps: 0.5, startOffset: '1s' },
    },
    { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
    { functionCall: { id: '1', name: 'tide', args: { hour: 12345678901 } } },
    { functionResponse: { id: '1', name: 'tide', response: { high: true }, willContinue: false } },
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    { mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' }, partMetadata: { a: 1 }, unheardOf: [null, 7] },
  ];
  const generationConfig = {
    stopSequences: ['END'],
    responseMimeType: 'application/json',
    responseSchema: schema,
    candidateCount: 2,
    responseJsonSchema: { type: 'object' },
    responseModalities: ['TEXT'],
    maxOutputTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    seed: 7,
    presencePenalty: 0.1,
    frequencyPenalty: null,
    responseLogprobs: true,
    logprobs: 3,
    enableEnhancedCivicAnswers: false,
    mediaResolution: 'MEDIA_RESOLUTION_LOW',
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } }, languageCode: 'de-DE' },
    thinkingConfig: { includeThoughts: true, thinkingBudget: 1024, thinkingLevel: 'LOW' },
    imageConfig: { aspectRatio: '16:9' },
    unheardOf: { a: [1] },
  };
  const tools = [
    { functionDeclarations: [{ name: 'tide', description: 'of today', parameters: schema, behavior: 'BLOCKING' }] },
    { googleSearch: { timeRangeFilter: {} } },
    { googleSearchRetrieval: { dynamicRetrievalConfig: { mode: 'MODE_DYNAMIC' } } },
    {
      codeExecution: {},
      urlContext: {},
      computerUse: { environment: 'ENVIRONMENT_BROWSER' },
      fileSearch: {},
      mcpServers: [],
    },
  ];
  const body = {
    contents: [{ role: 'user', parts }],
    systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] },
    generationConfig,
    tools,
    cachedContent: 'cachedContents/1',
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['tide'] },
      retrievalConfig: { latLng: { latitude: 1, longitude: 2 }, languageCode: 'de' },
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE', method: 'PROBABILITY' }],
    labels: { team: 'keepers' },
    serviceTier: 'standard',
    unheardOf: 1,
  };
  expect(input(body)).toMatchObject({ contents: [{ role: 'user' }], generationConfig: { maxOutputTokens: 100 } });
  expect(outputTokens(body)).toBe(200);
});

it('takes every role of the protocol, and none', () => {
  for (const role of ['user', 'model', 'function', '', null]) {
    expect(input({ contents: [{ role, parts: [{ text: 'x' }] }] })).toBeDefined();
  }
  for (const role of ['user', 'model', 'system', null]) {
    expect(input({ systemInstruction: { role, parts: [{ text: 'x' }] } })).toBeDefined();
  }
});

it('accepts a part of any kind under either name, an empty text, and unknown kinds', () => {
  const parts: JsonObject[] = [
    { text: '', thoughtSignature: 'c2ln' },
    { text: ' ' },
    { inline_data: { mime_type: 'image/png', data: 'AAAA' }, video_metadata: { fps: 1 } },
    { file_data: { file_uri: 'https://example.com/a.png' }, media_resolution: {} },
    { function_call: { name: 'tide' }, thought_signature: 'c2ln' },
    { function_response: { name: 'tide', response: {} } },
    { executable_code: { code: '1' } },
    { code_execution_result: { output: '1' } },
    { toolCall: { name: 'a' } },
    { text: 'x', newerMark: true },
  ];
  expect(input(said(...parts))).toBeDefined();
});

it.each(['AA==', 'AAA=', 'AAAA', 'AA', 'AAA', '-_+/', `${'A'.repeat(4_000_000)}AA==`])(
  'takes data in base64 of either alphabet, padded or not (%#)',
  (data) => {
    expect(input(said({ inlineData: { mimeType: 'image/png', data } }))).toBeDefined();
  },
);

it('takes instructions of any length, because they are passed on and not kept', () => {
  const parts = [{ text: 'x'.repeat(100_000) }];
  expect(input({ systemInstruction: { parts }, toolConfig: { some: 'y'.repeat(20_000) } })).toBeDefined();
});

describe('the estimate of a prompt', () => {
  it('is the UTF-8 bytes of each text by four, rounded up, system instruction included', () => {
    expect(inputTokens({})).toBe(1);
    expect(inputTokens(said({ text: 'abcde' }))).toBe(2);
    expect(inputTokens(said({ text: 'a' }, { text: 'b' }))).toBe(2);
    expect(inputTokens(said({ text: '灯台' }))).toBe(2);
    expect(inputTokens({ systemInstruction: { parts: [{ text: 'abcdefgh' }] } })).toBe(3);
    expect(inputTokens({ system_instruction: { parts: { text: 'abcdefgh' } } })).toBe(3);
  });

  it('counts 258 tokens for every started 16 KiB of an image, and four times that at least', () => {
    const image = (bytes: number) => ({ inlineData: { mimeType: 'image/png', data: 'A'.repeat((bytes / 3) * 4) } });
    expect(inputTokens(said(image(3)))).toBe(4 * 258);
    expect(inputTokens(said(image(163_842)))).toBe(11 * 258);
    const snake = { inline_data: { mime_type: 'IMAGE/PNG', data: 'AAAA' } };
    expect(inputTokens(said(snake))).toBe(4 * 258);
  });

  it('counts sound by 16 bytes a token, texts by 4', () => {
    const file = (mimeType: string) => said({ inlineData: { mimeType, data: 'A'.repeat(1280) } });
    expect(inputTokens(file('audio/mp3'))).toBe(60);
    expect(inputTokens(file('text/csv'))).toBe(240);
    expect(inputTokens(file('application/json'))).toBe(240);
  });

  it.each(['application/pdf', 'video/mp4', 'application/octet-stream', ''])(
    'is the whole context for a file of type %p, whose bytes say nothing of its length',
    (mimeType) => {
      expect(inputTokens(said({ inlineData: { mimeType, data: 'AAAA' } }))).toBe(WINDOW);
    },
  );

  it.each([
    { urlContext: {} },
    { googleSearch: {} },
    { code_execution: {} },
    { functionDeclarations: [], googleSearch: {} },
  ])('is the whole context where the vendor runs a tool, whose findings are prompt: %p', (tool) => {
    expect(inputTokens({ tools: [tool] })).toBe(WINDOW);
  });

  it('is not changed by a tool that is null, as clients name those they do not use', () => {
    expect(inputTokens({ tools: [{ functionDeclarations: [], googleSearch: null }] })).toBeLessThan(100);
  });

  it('counts functions, their results and the shape of the answer by their JSON', () => {
    const tools = [{ functionDeclarations: [{ name: 'tide', parameters: { type: 'OBJECT' } }] }];
    expect(inputTokens({ tools })).toBeGreaterThanOrEqual(1 + Math.ceil(JSON.stringify(tools).length / 4));
    const response = { name: 'tide', response: { hours: [1, 2, 3] } };
    const asked = inputTokens(said({ functionResponse: response }));
    expect(asked).toBeGreaterThanOrEqual(Math.ceil(JSON.stringify(response).length / 4));
    expect(inputTokens({ generationConfig: { responseSchema: { type: 'STRING' } } })).toBeGreaterThan(1);
    expect(inputTokens({ generation_config: { response_schema: { type: 'STRING' } } })).toBeGreaterThan(1);
  });

  it('is the whole context where the body names content that it does not have, and never more', () => {
    expect(inputTokens(said({ fileData: { fileUri: 'https://example.com/video.mp4' } }))).toBe(WINDOW);
    expect(inputTokens({ cachedContent: 'cachedContents/1' })).toBe(WINDOW);
    expect(inputTokens(said({ text: 'x'.repeat(5_000_000) }))).toBe(WINDOW);
  });

  it('takes no notice of a mark on a part', () => {
    expect(inputTokens(said({ text: 'abcd', thought: true, thoughtSignature: 'x'.repeat(400) }))).toBe(1);
  });

  it('is not stopped by JSON of any depth', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    expect(inputTokens(said({ functionCall: deep }))).toBeGreaterThan(100_000);
  });
});

describe('what may be generated', () => {
  it('is the most that the model makes where the body names none', () => {
    expect(outputTokens({})).toBe(LIMIT);
    expect(outputTokens({ generationConfig: { temperature: 1 } })).toBe(LIMIT);
  });

  it('is maxOutputTokens for each candidate', () => {
    expect(outputTokens({ generationConfig: { maxOutputTokens: 100 } })).toBe(100);
    expect(outputTokens({ generationConfig: { maxOutputTokens: 100, candidateCount: 3 } })).toBe(300);
    expect(outputTokens({ generation_config: { max_output_tokens: 100, candidate_count: 3 } })).toBe(300);
  });

  it('is the greater number where one is given under both names', () => {
    const small = { maxOutputTokens: 1 };
    const great = { max_output_tokens: 900 };
    for (const body of [
      { generationConfig: small, generation_config: great },
      { generation_config: great, generationConfig: small },
      { generationConfig: { ...small, ...great } },
      { generationConfig: { ...great, ...small } },
    ]) {
      expect(outputTokens(body)).toBe(900);
    }
  });

  it('is read whatever the depth of what is given under both names', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    const config = { maxOutputTokens: 9, responseSchema: deep };
    expect(outputTokens({ generationConfig: config, generation_config: { responseSchema: deep } })).toBe(9);
  });

  it('is read from the body itself, never from a prototype that the body names', () => {
    const body = '{"safety_settings":[],"__proto__":{"generationConfig":{"maxOutputTokens":1}}}';
    expect(outputTokens(JSON.parse(body))).toBe(LIMIT);
  });
});

describe('settlement', () => {
  it('adds up prompt and output at their prices, cached tokens inside the prompt at theirs', () => {
    expect(settled({}, { inputTokens: 1000, outputTokens: 10 })).toBe(1000n * 300n + 10n * 2500n);
    const cached = { inputTokens: 1000, cachedTextTokens: 400, outputTokens: 10 };
    expect(settled({}, cached)).toBe(600n * 300n + 400n * 75n + 10n * 2500n);
    expect(settled({}, { inputTokens: 10, cachedTextTokens: 99 })).toBe(10n * 75n);
  });

  it('charges a blocked prompt for its prompt alone', () => {
    expect(settled({}, { inputTokens: 7 })).toBe(7n * 300n);
  });

  it('charges nothing for what used nothing', () => {
    expect(settled({}, { inputTokens: 0, outputTokens: 0 })).toBe(0n);
  });

  it('rounds up once', () => {
    const odd = { text_input: 1n, cached_text_input: 1n, text_output: 1n };
    expect(settled({}, { inputTokens: 1, outputTokens: 1 }, odd)).toBe(1n);
  });

  it('is within the reservation for a prompt that was estimated, whatever was generated', () => {
    const body = { generationConfig: { maxOutputTokens: 50 } };
    expect(settled(body, { inputTokens: 1, outputTokens: 50 })).toBe(reserved(body));
    expect(input(body)).toMatchObject(body);
  });
});
