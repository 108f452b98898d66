import type { JsonObject } from '@mediagate/contracts';
import { API_KEY, callContext, readAll } from '../../test/fixtures';
import { type Replay, type ReplayServer, replyWith, startReplayServer } from '../conformance/replay-server';
import {
  BrokenAnswerError,
  checkChannelOptions,
  createHttpClient,
  createOpenAiChatText,
  type HttpClient,
  MalformedAnswerError,
  type TextCall,
} from '../index';

/*
 * Sources: openai/openai-openapi for requests, chunks and errors; vLLM's and SGLang's servers, which leave out what they do not
 * have; Azure's reference for its path, its key's header and its filter.
 */

let server: ReplayServer | undefined;
let http: HttpClient | undefined;

afterEach(async () => {
  await http?.close();
  await server?.close();
});

const HELLO: JsonObject = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };

const whole = (body: JsonObject): TextCall => ({
  method: 'generateContent',
  sse: false,
  body: Buffer.from(JSON.stringify(body)),
  json: body,
});
const streamed = (body: JsonObject): TextCall => ({ ...whole(body), method: 'streamGenerateContent', sse: true });

async function call(request: TextCall, replay: Replay, options: JsonObject = {}) {
  server = await startReplayServer(replay);
  http = createHttpClient();
  return createOpenAiChatText(http).call(request, callContext(`${server.origin}/v1`, options));
}

const json =
  (body: JsonObject, status = 200): Replay =>
  (response) =>
    replyWith(response, status, { 'content-type': 'application/json' }, JSON.stringify(body));

const events =
  (...chunks: (JsonObject | string)[]): Replay =>
  (response) => {
    const lines = chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
    replyWith(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' }, lines.join(''));
  };

const says = (content: string): JsonObject => ({
  id: 'chatcmpl-1',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 5,
    completion_tokens: 9,
    total_tokens: 14,
    prompt_tokens_details: { cached_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 4 },
  },
});

async function sentFor(body: JsonObject, options: JsonObject = {}) {
  await call(whole(body), json(says('Hi')), options);
  const [request] = server?.received ?? [];
  return { ...request, json: JSON.parse(String(request?.body)) };
}

it('asks for one call at a time where the caller does, and says nothing of it without functions', async () => {
  const tools = [{ functionDeclarations: [{ name: 'look' }] }];
  async function sent(body: JsonObject, parallelToolCalls?: boolean) {
    await call({ ...whole(body), parallelToolCalls }, json(says('Hi')));
    const asked = JSON.parse(String(server?.received[0]?.body))['parallel_tool_calls'];
    await http?.close();
    await server?.close();
    return asked;
  }
  expect(await sent({ ...HELLO, tools }, false)).toBe(false);
  expect(await sent({ ...HELLO, tools })).toBeUndefined();
  expect(await sent(HELLO, false)).toBeUndefined();
});

async function answerOf(request: TextCall, replay: Replay): Promise<string> {
  const answer = await call(request, replay);
  if (answer.kind !== 'answer') throw new Error(answer.fault.detail);
  return String(await readAll(answer.body));
}

async function piecesOf(replay: Replay): Promise<JsonObject[]> {
  const text = await answerOf(streamed(HELLO), replay);
  const lines = text.split('\n\n').filter((event) => event !== '');
  return lines.map((event) => JSON.parse(event.replace(/^data: /, '')));
}

describe('a request', () => {
  it('says in chat’s words what the one shape of text says', async () => {
    const {
      path,
      headers,
      json: sent,
    } = await sentFor({
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ text: 'hm', thought: true }, { functionCall: { name: 'look', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { b: 2 } } }] },
        { role: 'model', parts: [{ text: 'A boat.' }] },
        { role: 'user', parts: [{ inline_data: { mime_type: 'audio/mpeg', data: 'BBBB' } }] },
      ],
      generationConfig: { maxOutputTokens: 7, temperature: 0.5, topP: 0.9, stopSequences: ['END'], candidateCount: 2 },
      tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks.', parameters: { type: 'OBJECT' } }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    });
    expect([path, headers?.authorization]).toEqual(['/v1/chat/completions', `Bearer ${API_KEY}`]);
    expect(sent).toEqual({
      model: 'vendor-model',
      messages: [
        { role: 'system', content: 'Be short.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"b":2}' },
        { role: 'assistant', content: 'A boat.' },
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } }] },
      ],
      max_completion_tokens: 7,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      n: 2,
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }],
      tool_choice: 'required',
    });
  });

  it('asks for JSON, thought and usage as the server knows them', async () => {
    const schema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } };
    const generationConfig = {
      responseMimeType: 'application/json',
      responseSchema: schema,
      thinkingConfig: { thinkingBudget: 1024 },
    };
    const { json: sent } = await sentFor({ ...HELLO, generationConfig });
    expect(sent).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object', properties: { a: { type: 'string' } } } },
      },
      reasoning_effort: 'low',
    });
    await server?.close();
    await call(streamed(HELLO), events(says('Hi'), '[DONE]'));
    expect(JSON.parse(String(server?.received[0]?.body))).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it.each<[thinking: JsonObject, effort: string | undefined]>([
    [{ thinkingLevel: 'HIGH', thinkingBudget: 0 }, 'high'],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED', thinkingBudget: 1024 }, 'low'],
    [{ thinkingLevel: '' }, undefined],
  ])('thinks as %p asks, by an effort that there is', async (thinkingConfig, effort) => {
    const { json: sent } = await sentFor({ ...HELLO, generationConfig: { thinkingConfig } });
    expect(sent.reasoning_effort).toBe(effort);
  });

  it('goes to a deployment in Azure’s way', async () => {
    const options = {
      key_header: 'api-key',
      path: 'deployment',
      api_version: '2025-04-01-preview',
      max_tokens_field: 'max_tokens',
    };
    expect(checkChannelOptions('openai-chat', options)).toBeUndefined();
    expect(checkChannelOptions('openai-chat', { path: 'elsewhere' })).toContain('path');
    const {
      path,
      headers,
      json: sent,
    } = await sentFor({ ...HELLO, generationConfig: { maxOutputTokens: 7 } }, options);
    expect(path).toBe('/v1/deployments/vendor-model/chat/completions?api-version=2025-04-01-preview');
    expect([headers?.['api-key'], headers?.authorization]).toEqual([API_KEY, undefined]);
    expect(sent.max_tokens).toBe(7);
  });

  it.each<[name: string, body: JsonObject]>([
    ['googleSearch', { ...HELLO, tools: [{ googleSearch: {} }] }],
    ['cachedContent', { ...HELLO, cachedContent: 'x' }],
    ['fileData', { contents: [{ parts: [{ fileData: { fileUri: 'https://example.com' } }] }] }],
    ['application/pdf', { contents: [{ parts: [{ inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }] }] }],
    ['responseModalities', { ...HELLO, generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }],
    ['responseLogprobs', { ...HELLO, generationConfig: { responseLogprobs: true } }],
  ])('with %s is left to another channel, and nothing is sent', async (name, body) => {
    const answer = await call(whole(body), json(says('Hi')));
    expect(answer).toMatchObject({ kind: 'refused', fault: { code: 'cannot_carry', message: { params: { name } } } });
    expect(server?.received).toEqual([]);
  });

  it('with an image that these servers do not read is left to another channel, and nothing is sent', async () => {
    const parts = [{ inline_data: { mime_type: 'image/HEIC', data: 'AAAA' } }];
    const answer = await call(whole({ contents: [{ parts }] }), json(says('Hi')));
    const params = { type: 'image/heic', types: 'image/png, image/jpeg, image/webp, image/gif' };
    expect(answer).toMatchObject({ fault: { code: 'cannot_carry', message: { key: 'file_type_convert', params } } });
    expect(server?.received).toEqual([]);
  });

  it('to count tokens is left to another channel', async () => {
    const answer = await call({ ...whole(HELLO), method: 'countTokens' }, json(says('Hi')));
    expect(answer).toMatchObject({ kind: 'refused', fault: { code: 'cannot_carry' } });
  });
});

describe('a whole answer', () => {
  it('comes in the one shape of text', async () => {
    expect(JSON.parse(await answerOf(whole(HELLO), json(says('Hi'))))).toEqual({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      responseId: 'chatcmpl-1',
      usageMetadata: {
        promptTokenCount: 5,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 4,
        cachedContentTokenCount: 2,
        totalTokenCount: 14,
      },
    });
  });

  it.each([
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['tool_calls', 'STOP'],
  ])('that ends by %s ends by %s', async (finish, expected) => {
    const choice = { index: 0, message: { content: 'Hi' }, finish_reason: finish };
    const { candidates } = JSON.parse(await answerOf(whole(HELLO), json({ choices: [choice] })));
    expect(candidates[0].finishReason).toBe(expected);
  });

  it('that is none breaks off', async () => {
    await expect(answerOf(whole(HELLO), json({ error: { message: 'x' } }))).rejects.toBeInstanceOf(
      MalformedAnswerError,
    );
  });
});

describe('a stream', () => {
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    id: 'c1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = { id: 'c1', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } };

  it('comes piece by piece, each as soon as it is there', async () => {
    let go: () => void = () => undefined;
    const readFirst = new Promise<void>((resolve) => {
      go = resolve;
    });
    const answer = await call(streamed(HELLO), (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk({ role: 'assistant', content: '' }))}\n\n`);
      response.write(`data: ${JSON.stringify(chunk({ content: 'One' }))}\n\n`);
      void readFirst.then(() =>
        response.end(`data: ${JSON.stringify(chunk({ content: ' two' }, 'stop'))}\n\ndata: [DONE]\n\n`),
      );
    });
    if (answer.kind !== 'answer') throw new Error('no answer');
    const read: string[] = [];
    for await (const piece of answer.body) {
      read.push(String(piece));
      go();
    }
    expect(read.map((each) => JSON.parse(each.slice(6)).candidates[0].content.parts[0].text)).toEqual(['One', ' two']);
  });

  it('puts the calls of functions together, and tells the usage', async () => {
    const call = (index: number, more: JsonObject) => chunk({ tool_calls: [{ index, ...more }] });
    const pieces = await piecesOf(
      events(
        call(0, { id: 'a', function: { name: 'look', arguments: '' } }),
        call(0, { function: { arguments: '{"x":' } }),
        call(1, { id: 'b', function: { name: 'go', arguments: '{}' } }),
        call(0, { function: { arguments: '1}' } }),
        chunk({}, 'tool_calls'),
        usage,
        '[DONE]',
      ),
    );
    const parts = [
      { functionCall: { id: 'a', name: 'look', args: { x: 1 } } },
      { functionCall: { id: 'b', name: 'go', args: {} } },
    ];
    expect(pieces).toEqual([
      { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], responseId: 'c1' },
      { responseId: 'c1', usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 } },
    ]);
  });

  const nested = (levels: number) => `${'{"x":'.repeat(levels)}1${'}'.repeat(levels)}`;

  it.each([
    ['no JSON', '{"x"'],
    ['nested a level too deep', nested(33)],
    ['nested so deep that writing them overflows the stack', nested(300_000)],
  ])('says so where the arguments of a call are %s', async (_what, text) => {
    const broken = { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: text } }] };
    const pieces = await piecesOf(events(chunk(broken), chunk({}, 'tool_calls'), '[DONE]'));
    expect(pieces).toMatchObject([
      { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', content: { parts: [] } }] },
    ]);
  });

  it('has arguments of as many levels as a caller may send back', async () => {
    const deep = { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: nested(32) } }] };
    const pieces = await piecesOf(events(chunk(deep), chunk({}, 'tool_calls'), '[DONE]'));
    const args = JSON.parse(nested(32));
    expect(pieces).toMatchObject([{ candidates: [{ content: { parts: [{ functionCall: { args } }] } }] }]);
  });

  it.each<[what: string, replay: Replay, error: new (...args: never[]) => Error]>([
    ['ends without its end', events(chunk({ content: 'One' })), BrokenAnswerError],
    ['fails in the middle', events(chunk({ content: 'One' }), { error: { message: 'x' } }), MalformedAnswerError],
    ['is no JSON', events('{"choices":'), MalformedAnswerError],
  ])('that %s breaks off', async (_what, replay, error) => {
    await expect(answerOf(streamed(HELLO), replay)).rejects.toBeInstanceOf(error);
  });
});

describe('a refusal', () => {
  it.each<[status: number, error: JsonObject, code: string]>([
    [400, { message: 'x', code: 'content_filter' }, 'content_policy'],
    [400, { message: 'x', type: 'invalid_request_error' }, 'bad_request'],
    [401, { message: 'x', code: 'invalid_api_key' }, 'operator'],
    [404, { message: 'x', code: 'DeploymentNotFound' }, 'operator'],
    [429, { message: 'x', code: 'rate_limit_exceeded' }, 'rate_limited'],
    [429, { message: 'x', code: 'insufficient_quota' }, 'operator'],
    [503, { message: 'x' }, 'not_accepted'],
  ])('of %i %j is the fault %s, without the prompt or the key', async (status, error, code) => {
    const answer = await call(whole(HELLO), json({ error }, status));
    expect(answer).toMatchObject({ kind: 'refused', fault: { code } });
    expect(JSON.stringify(answer)).not.toContain(API_KEY);
  });
});
