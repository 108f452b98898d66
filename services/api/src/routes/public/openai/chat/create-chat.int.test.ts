import { forAllTests } from '@mediagate/testkit';
import OpenAI from 'openai';
import type { Answer } from '../../../../../test/test-api';
import { wavOf } from '../../../../../test/test-files';
import { fileOf, pngOf } from '../../../../../test/test-images';
import { answer, says, streams, USAGE } from '../../../../../test/text-upstream';
import { COST, openTextWorld } from '../../../../../test/text-world';

const world = forAllTests(openTextWorld);
afterEach(() => world.quiet());

const MODEL = 'text-2.5-flash';
const HELLO = { model: MODEL, messages: [{ role: 'user' as const, content: 'Why do lighthouses blink?' }] };
const PATH = '/openai/v1/chat/completions';

async function openClient() {
  const caller = await world.caller();
  const client = new OpenAI({ apiKey: caller.key, baseURL: `${world.api.url}/openai/v1`, maxRetries: 0 });
  const lastSent = () => JSON.parse(world.vendor.heard.at(-1)?.body ?? 'null');
  return { caller, client, lastSent };
}

const CALL = {
  candidates: [
    {
      content: { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { place: 'harbour' } } }] },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: USAGE,
};
const TOOL = {
  type: 'function' as const,
  function: {
    name: 'look_up',
    description: 'Finds a place.',
    parameters: { type: 'object', properties: { place: { type: 'string' } } },
  },
};

it('a dry run of a chat completion answers the price, and neither books nor asks anything', async () => {
  const { key } = await world.caller();
  const rows = await world.api.countRows();
  const heard = world.vendor.heard.length;
  const answer = await world.api.post(`${PATH}?dry_run=true`, HELLO, { key });
  expect([answer.status, answer.body]).toMatchObject([200, { code: 200, data: { affordable: true } }]);
  expect(answer.body.data.reserved).toBeGreaterThan(0);
  expect([await world.api.countRows(), world.vendor.heard.length]).toEqual([rows, heard]);
});

it('an instruction alone is a question', async () => {
  const { client, lastSent } = await openClient();
  world.vendor.next(says(answer('Because.')));
  await client.chat.completions.create({ model: MODEL, messages: [{ role: 'system', content: 'Say why.' }] });
  expect(lastSent().contents).toEqual([{ role: 'user', parts: [{ text: 'Say why.' }] }]);
  expect(lastSent().systemInstruction).toBeUndefined();
});

it.each([
  [PATH, { messages: [{ role: 'user', content: null }] }, 'messages[0].content is required'],
  [PATH, { messages: [{ role: 'user', content: '' }] }, 'messages[0].content is required'],
  [PATH, { messages: [] }, 'messages must have at least 1 item'],
  ['/openai/v1/responses', { input: '' }, 'input is required'],
  ['/openai/v1/responses', { input: [{ role: 'user', content: '' }] }, 'input[0].content is required'],
])('%s names what says nothing: %j', async (path, sent, message) => {
  const { caller } = await openClient();
  const { status, body } = await world.api.post(path, { model: MODEL, ...sent }, caller);
  expect([status, body.error.message]).toEqual([400, message]);
});

describe('JSON in the text of a conversation', () => {
  const many = (values: number) => JSON.stringify({ x: Array(values).fill({}) });
  const nested = (levels: number) => `{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const talk = (args: string, result: string) => ({
    ...HELLO,
    messages: [
      ...HELLO.messages,
      {
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look_up', arguments: args } }],
      },
      { role: 'tool', tool_call_id: 'c', content: result },
    ],
  });

  it('is refused in the arguments of a call, by its field, with too many values, asked for or only priced', async () => {
    const { key } = await world.caller();
    for (const path of [PATH, `${PATH}?dry_run=true`]) {
      const { status, body } = await world.api.post(path, talk(many(60_000), '{}'), { key });
      expect([status, body.error.param]).toEqual([400, 'messages[1].tool_calls[0].function.arguments']);
      expect(body.error.message).toContain('holds JSON with too many values');
    }
  });

  it('is taken in the arguments of calls up to 8 MiB together, as of programs that write files; the call beyond is refused by its field', async () => {
    const { caller, lastSent } = await openClient();
    const file = (bytes: number) => JSON.stringify({ path: 'a.ts', content: 'let a = "b";\n'.repeat(bytes / 16) });
    const conversation = (calls: string[]) => ({
      ...HELLO,
      messages: [
        ...HELLO.messages,
        ...calls.flatMap((args, at) => {
          const call = { id: `c${at}`, type: 'function', function: { name: 'write', arguments: args } };
          return [
            { role: 'assistant', tool_calls: [call] },
            { role: 'tool', tool_call_id: `c${at}`, content: 'written' },
          ];
        }),
      ],
    });
    const usual = Array(30).fill(file(40_000));
    expect((await world.api.post(PATH, conversation(usual), { key: caller.key })).status).toBe(200);
    expect(lastSent().contents[59].parts[0].functionCall.args).toEqual(JSON.parse(usual[0]));
    const most = JSON.stringify({ content: 'x'.repeat(1024 * 1024 - 14) });
    expect((await world.api.post(PATH, conversation(Array(8).fill(most)), { key: caller.key })).status).toBe(200);
    const { status, body } = await world.api.post(PATH, conversation([...Array(8).fill(most), '{}']), {
      key: caller.key,
    });
    expect([status, body.error.param]).toEqual([400, 'messages[17].tool_calls[0].function.arguments']);
  });

  it.each([
    ['values', many(60_000)],
    ['levels', nested(300_000)],
  ])('goes on unparsed where it is a result with too many %s, and calls are judged as before', async (_of, result) => {
    const { caller, lastSent } = await openClient();
    const { status } = await world.api.post(PATH, talk(many(10), result), { key: caller.key });
    expect(status).toBe(200);
    const [, model, user] = lastSent().contents;
    expect(model.parts[0].functionCall.args).toEqual(JSON.parse(many(10)));
    expect(user.parts[0].functionResponse.response).toEqual({ result });
  });
});

describe('a chat completion by OpenAI’s own client', () => {
  it('is answered whole, and costs what the vendor reported', async () => {
    const { caller, client, lastSent } = await openClient();
    world.vendor.next(says({ ...answer('So that they are told apart.'), responseId: 'r1' }));
    const { data, response } = await client.chat.completions
      .create({ ...HELLO, max_completion_tokens: 50, temperature: 0.5, stop: 'END', seed: 7 })
      .withResponse();
    expect(data).toMatchObject({
      object: 'chat.completion',
      model: MODEL,
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'So that they are told apart.' } },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
    });
    expect(lastSent()).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] }],
      generationConfig: { maxOutputTokens: 50, temperature: 0.5, stopSequences: ['END'], seed: 7 },
    });
    await world.ended(response.headers.get('x-task-id'), caller);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
  });

  it('comes in pieces as they are made, with the usage where it is asked for', async () => {
    const { client } = await openClient();
    let release: () => void = () => undefined;
    const readFirst = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.vendor.next((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(answer('One', {}))}\r\n\r\n`);
      // The rest is not made before the first piece has arrived.
      void readFirst.then(() => {
        const last = answer(' two.') as { candidates: object[] };
        const ended = { ...last, candidates: [{ ...last.candidates[0], finishReason: 'MAX_TOKENS' }] };
        response.end(`data: ${JSON.stringify(ended)}\r\n\r\n`);
      });
    });
    const stream = await client.chat.completions.create({
      ...HELLO,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunk.choices[0]?.delta.content === 'One') release();
    }
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'One' },
      { content: ' two.' },
      {},
      undefined,
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, 'length', undefined]);
    expect(chunks.map(({ usage }) => usage?.total_tokens)).toEqual([undefined, undefined, undefined, undefined, 14]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('calls functions, and takes what they gave', async () => {
    const { client, lastSent } = await openClient();
    world.vendor.next(says(CALL));
    const first = await client.chat.completions.create({ ...HELLO, tools: [TOOL], tool_choice: 'required' });
    const [choice] = first.choices;
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    expect(lastSent()).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            { name: 'look_up', description: 'Finds a place.', parametersJsonSchema: TOOL.function.parameters },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    });
    const [call] = choice?.message.tool_calls ?? [];
    expect(call).toMatchObject({ type: 'function', function: { name: 'look_up', arguments: '{"place":"harbour"}' } });
    const id = String(call?.id);
    await client.chat.completions.create({
      ...HELLO,
      messages: [
        { role: 'system', content: 'Be short.' },
        ...HELLO.messages,
        { role: 'assistant', tool_calls: call ? [call] : [] },
        { role: 'tool', tool_call_id: id, content: '{"found":true}' },
        { role: 'user', content: 'And?' },
      ],
    });
    expect(lastSent()).toEqual({
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] },
        { role: 'model', parts: [{ functionCall: { id, name: 'look_up', args: { place: 'harbour' } } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id, name: 'look_up', response: { found: true } } }, { text: 'And?' }],
        },
      ],
    });
  });

  it('streams the calls of functions', async () => {
    const { client } = await openClient();
    world.vendor.next(streams([CALL]));
    const stream = client.chat.completions.stream({ ...HELLO, tools: [TOOL] });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'look_up', arguments: '{"place":"harbour"}' } }] },
    });
  });

  it('takes images and sound in the body, and never gives a caller’s address to the vendor', async () => {
    const { client, lastSent } = await openClient();
    const [data, sound] = [pngOf(8, 8), wavOf(1)].map((bytes) => bytes.toString('base64')) as [string, string];
    await client.chat.completions.create({
      model: MODEL,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
            { type: 'input_audio', input_audio: { data: sound, format: 'wav' } },
          ],
        },
      ],
    });
    expect(lastSent().contents[0].parts).toEqual([
      { text: 'What is this?' },
      { inlineData: { mimeType: 'image/png', data } },
      { inlineData: { mimeType: 'audio/wav', data: sound } },
    ]);
    const heard = world.vendor.heard.length;
    const link = [{ type: 'image_url' as const, image_url: { url: 'http://127.0.0.1:9/x.png' } }];
    const refused = client.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: link }] });
    await expect(refused).rejects.toMatchObject({ status: 400, param: 'messages[0].content[0].image_url.url' });
    expect(world.vendor.heard).toHaveLength(heard);
  });

  it.each([
    ['text/plain', () => wavOf(1), 'audio/wav'],
    ['image/png', () => Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ['text/markdown', () => Buffer.from('# A boat'), 'text/markdown'],
  ])('a file that is declared as %s is what its bytes say, where they say it', async (declared, bytes, mimeType) => {
    const { client, lastSent } = await openClient();
    const data = bytes().toString('base64');
    const content = [{ type: 'image_url' as const, image_url: { url: `data:${declared};base64,${data}` } }];
    await client.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content }] });
    expect(lastSent().contents[0].parts).toEqual([{ inlineData: { mimeType, data } }]);
  });

  it('takes the id and the link of an image of the account, and of no other; what is refused is not booked', async () => {
    const { caller, client, lastSent } = await openClient();
    const ask = (...urls: string[]) => {
      const content = urls.map((url) => ({ type: 'image_url' as const, image_url: { url } }));
      return client.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content }] });
    };
    const send = async (bytes: Buffer, { key }: { key: string }) => {
      const form = new FormData();
      form.append('file', fileOf(bytes));
      return (await world.api.post('/v1/files', form, { key })).body.data;
    };
    const bytes = pngOf(8, 8);
    const { id, url } = await send(bytes, caller);
    await ask(id, url);
    const part = { inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } };
    expect(lastSent().contents[0].parts).toEqual([part, part]);
    const { data } = part.inlineData;
    await ask(`DATA:image/jpg;charset=utf-8;base64,${data}`, `data:;base64,${data.replace(/.{76}/g, '$&\n')}`);
    expect(lastSent().contents[0].parts).toEqual([part, part]);

    const [theirs, sound, deleted] = [
      await send(bytes, await world.caller()),
      await send(wavOf(1), caller),
      await send(bytes, caller),
    ];
    await world.api.get(`/v1/files/${deleted.id}`, { method: 'DELETE', key: caller.key });
    await world.quiet();
    const before = await world.spent(caller);
    const heard = world.vendor.heard.length;
    for (const [refused, status, reason] of [
      [theirs.id, 404, 'not_found'],
      [sound.id, 400, 'bad_media'],
      [deleted.id, 400, 'bad_media'],
    ] as const) {
      const param = 'messages[0].content[1].image_url.url';
      await expect(ask(id, refused)).rejects.toMatchObject({ status, error: { reason }, param });
    }
    expect([await world.spent(caller), world.vendor.heard.length]).toEqual([before, heard]);
  });

  it('asks for JSON of a schema', async () => {
    const { client, lastSent } = await openClient();
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const format = { type: 'json_schema' as const, json_schema: { name: 'x', schema } };
    await client.chat.completions.create({ ...HELLO, response_format: format, reasoning_effort: 'low' });
    expect(lastSent().generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
      thinkingConfig: { thinkingBudget: 1024 },
    });
  });

  const NO_THOUGHT = { thinking_budget: 0, include_thoughts: false };
  it.each<[sent: object, config: object | undefined, warnings: unknown]>([
    [{ google: { thinking_config: NO_THOUGHT } }, { thinkingBudget: 0 }, undefined],
    [{ google: { thinking_config: { thinkingBudget: 800 } } }, { thinkingBudget: 800 }, undefined],
    [{ google: { thinking_config: { thinking_level: 'LOW' } } }, { thinkingLevel: 'low' }, undefined],
    [{ google: { thinking_config: { thinking_budget: 8, thinkingBudget: 8 } } }, { thinkingBudget: 8 }, undefined],
    [{ google: null, top_a: null }, undefined, undefined],
    [{ google: { thinking_config: null } }, undefined, undefined],
    [
      { google: { thinking_config: { include_thoughts: null, thinkingBudget: null, thinking_level: null } } },
      undefined,
      undefined,
    ],
    [
      { google: { thinking_config: { include_thoughts: true } }, top_a: 1 },
      undefined,
      [
        expect.stringMatching(/^extra_body\.google\.thinking_config\.include_thoughts /),
        expect.stringMatching(/^extra_body\.top_a /),
      ],
    ],
  ])('thinks as extra_body %p asks, and names what it does not read there', async (extra_body, config, warnings) => {
    const { client, lastSent } = await openClient();
    const asked = { ...HELLO, extra_body };
    const answer = await client.chat.completions.create(asked);
    expect(lastSent().generationConfig?.['thinkingConfig']).toEqual(config);
    expect((answer as { warnings?: unknown }).warnings).toEqual(warnings);
  });

  it.each<[fields: object, param: string]>([
    [{ extra_body: 'x' }, 'extra_body'],
    [{ extra_body: { google: { thinking_config: { thinking_budget: 'much' } } } }, 'thinking_budget'],
    [{ extra_body: { google: { thinking_config: { thinking_level: 'deep' } } } }, 'thinking_level'],
    [{ reasoning_effort: 'low', extra_body: { google: { thinking_config: NO_THOUGHT } } }, 'thinking_config'],
    [{ extra_body: { google: { thinking_config: { thinking_budget: 0, thinkingBudget: 9 } } } }, 'thinkingBudget'],
    [
      { extra_body: { google: { thinking_config: { thinking_level: 'low', thinkingLevel: 'high' } } } },
      'thinkingLevel',
    ],
  ])('refuses %p, which asks for no thinking that there is', async (fields, param) => {
    const { client } = await openClient();
    const asked = client.chat.completions.create({ ...HELLO, ...fields });
    await expect(asked).rejects.toMatchObject({ status: 400, param: expect.stringMatching(new RegExp(`${param}$`)) });
  });

  it('says that an answer was withheld', async () => {
    const { client } = await openClient();
    world.vendor.next(says({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 5 } }));
    const { choices } = await client.chat.completions.create(HELLO);
    expect(choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '' } });
  });

  it('meets errors as the client’s own classes', async () => {
    const { client } = await openClient();
    await expect(client.chat.completions.create({ ...HELLO, model: 'gpt-4o' })).rejects.toMatchObject({
      constructor: OpenAI.NotFoundError,
      code: 'model_not_found',
    });
    const stranger = new OpenAI({ apiKey: 'nobody', baseURL: `${world.api.url}/openai/v1`, maxRetries: 0 });
    await expect(stranger.chat.completions.create(HELLO)).rejects.toMatchObject({
      constructor: OpenAI.AuthenticationError,
      code: 'invalid_api_key',
    });
    const poor = await world.api.createCaller({ balance: '0' });
    const broke = new OpenAI({ apiKey: poor.key, baseURL: `${world.api.url}/openai/v1`, maxRetries: 0 });
    await expect(broke.chat.completions.create(HELLO)).rejects.toMatchObject({
      status: 402,
      type: 'insufficient_quota',
    });
  });
});

describe('an image that a message names by its address is not fetched for', () => {
  const content = [{ type: 'image_url' as const, image_url: { url: 'http://127.0.0.1:9/x.png' } }];
  const SEEING = { ...HELLO, messages: [{ role: 'user' as const, content }] };
  const FETCHED = [400, 'bad_media', 'messages[0].content[0].image_url.url'];
  const told = ({ status, body }: Answer) => [status, body.error.reason, body.error.param];

  it('a repetition, which is told the task of the first', async () => {
    const { key } = await world.caller();
    const headers = { 'idempotency-key': 'once' };
    const first = await world.api.post(PATH, HELLO, { key, headers });
    const second = await world.api.post(PATH, SEEING, { key, headers });
    expect([first.status, told(second)]).toEqual([200, [409, 'idempotency_conflict', null]]);
  });

  it.each<[who: string, fields: object, headers: Record<string, string>, refused: unknown[]]>([
    ['who allows less than the smallest image costs', { max_cost: 1e-9 }, {}, [402, 'max_cost_exceeded', 'max_cost']],
    [
      'who allows less in the header',
      { max_cost: 1 },
      { 'max-cost': '0.000000001' },
      [402, 'max_cost_exceeded', 'Max-Cost'],
    ],
    ['who sends another field that is wrong', { max_tokens: 0 }, {}, [400, 'invalid_parameter', 'max_tokens']],
    ['nobody else', { max_cost: 1 }, {}, FETCHED],
  ])('%s', async (_who, fields, headers, refused) => {
    const { key } = await world.caller();
    const rows = await world.api.countRows();
    expect(told(await world.api.post(PATH, { ...SEEING, ...fields }, { key, headers }))).toEqual(refused);
    expect(await world.api.countRows()).toEqual(rows);
  });

  it('who has no money', async () => {
    const { key } = await world.api.createCaller({ balance: '0' });
    expect(told(await world.api.post(PATH, SEEING, { key }))).toEqual([402, 'insufficient_balance', null]);
    // A price is asked for by who has nothing, too.
    expect(told(await world.api.post(`${PATH}?dry_run=true`, SEEING, { key }))).toEqual(FETCHED);
  });
});

describe('the lists of a conversation', () => {
  const items = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, at) => item(at));
  const said = { role: 'user', content: 'x' };
  const part = { type: 'text', text: 'x' };
  const calls = (count: number) =>
    items(count, (at) => ({ id: `c${at}`, type: 'function', function: { name: 'look_up', arguments: '{}' } }));

  it.each<[param: string, limit: number, fieldsOf: (count: number) => object]>([
    ['messages', 2048, (count) => ({ messages: items(count, () => said) })],
    ['messages[0].content', 2048, (count) => ({ messages: [{ role: 'user', content: items(count, () => part) }] })],
    ['messages[1].tool_calls', 128, (count) => ({ messages: [said, { role: 'assistant', tool_calls: calls(count) }] })],
    ['tools', 128, (count) => ({ tools: items(count, (at) => ({ ...TOOL, function: { name: `f${at}` } })) })],
    ['stop', 5, (count) => ({ stop: items(count, String) })],
  ])('%s has %d entries at most: one more is refused by the field and the limit', async (param, limit, fieldsOf) => {
    const { key } = await world.caller();
    const price = (count: number) => world.api.post(`${PATH}?dry_run=true`, { ...HELLO, ...fieldsOf(count) }, { key });
    expect((await price(limit)).status).toBe(200);
    const { status, body } = await price(limit + 1);
    expect([status, body.error.param, body.error.message]).toEqual([
      400,
      param,
      `${param} must have at most ${limit} items`,
    ]);
  });

  it('messages of one side in a row have 4,096 parts at most, as one turn of the native endpoint has', async () => {
    const { key } = await world.caller();
    const price = (counts: number[]) => {
      const messages = counts.map((count) => ({ role: 'user', content: items(count, () => part) }));
      return world.api.post(`${PATH}?dry_run=true`, { ...HELLO, messages }, { key });
    };
    expect((await price([2048, 2048])).status).toBe(200);
    const { status, body } = await price([2048, 2048, 1]);
    expect([status, body.error.param]).toEqual([400, 'messages']);
    expect(body.error.message).toContain('at most 4096');
  });
});

describe('clients from before there were tools', () => {
  const older = { ...HELLO, functions: [TOOL.function], function_call: { name: 'look_up' } };
  const { function: described } = TOOL;

  it('have their functions read as tools with a warning, and one call answered in their words, whole and in pieces', async () => {
    const { client, lastSent } = await openClient();
    const [candidate] = CALL.candidates;
    const twice = { candidates: [{ content: { parts: candidate?.content.parts.flatMap((part) => [part, part]) } }] };
    world.vendor.next(says(twice));
    const whole = await client.chat.completions.create(older);
    const said = { function_call: { name: 'look_up', arguments: '{"place":"harbour"}' } };
    expect(whole).toMatchObject({
      choices: [{ finish_reason: 'function_call', message: said }],
      warnings: ['functions was read as tools'],
    });
    expect(whole.choices[0]?.message.tool_calls).toBeUndefined();
    expect(lastSent()).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'look_up', parametersJsonSchema: described.parameters }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look_up'] } },
    });
    world.vendor.next(streams([twice]));
    const chunks = [];
    for await (const chunk of await client.chat.completions.create({ ...older, stream: true })) chunks.push(chunk);
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.function_call ?? [])).toEqual([said.function_call]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('function_call');
  });

  it('send calls and results back in their words, each result for the last call of its function', async () => {
    const { client, lastSent } = await openClient();
    const call = {
      role: 'assistant' as const,
      content: null,
      function_call: { name: 'look_up', arguments: '{"a":1}' },
    };
    const result = { role: 'function' as const, name: 'look_up', content: '{"found":true}' };
    await client.chat.completions.create({ ...older, messages: [...HELLO.messages, call, result] });
    const id = 'call_1';
    expect(lastSent().contents.slice(1)).toEqual([
      { role: 'model', parts: [{ functionCall: { id, name: 'look_up', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'look_up', response: { found: true } } }] },
    ]);
  });

  it('are told of faults by the names that they sent', async () => {
    const { key } = await world.caller();
    for (const [param, more] of [
      ['functions[0].name', { functions: [{}] }],
      ['function_call.name', { function_call: {} }],
      ['messages[0].function_call.name', { messages: [{ role: 'assistant', function_call: { arguments: '{}' } }] }],
      ['messages[0].name', { messages: [{ role: 'function', name: 'look_up', content: 'x' }] }],
      ['messages[1].name', { messages: [...HELLO.messages, { role: 'function', content: 'x' }] }],
    ] as const) {
      const { status, body } = await world.api.post(PATH, { ...older, ...more }, { key });
      expect([status, body.error.param]).toEqual([400, param]);
    }
  });
});

describe('fields that other programs send', () => {
  const weather = { tools: [TOOL], tool_choice: 'auto' };

  it.each<[who: string, fields: object, ignored: string[]]>([
    ['Open WebUI', { top_p: 0.9, max_tokens: 128, logit_bias: null, min_p: 0.1, num_ctx: 2048 }, ['min_p', 'num_ctx']],
    ['Cherry Studio', { temperature: 1, top_p: 1, enable_thinking: false }, ['enable_thinking']],
    ['LangChain', { temperature: 1, n: 1, max_tokens: -1, logit_bias: {} }, []],
    ['agents', { ...weather, parallel_tool_calls: false, store: true }, ['store']],
    ['vLLM’s clients', { chat_template_kwargs: { enable_thinking: false }, top_k: -1 }, ['chat_template_kwargs']],
    ['older clients', { functions: [], function_call: null }, []],
    [
      'evaluations',
      { logprobs: true, top_logprobs: 2, logit_bias: { 50: 1 } },
      ['logprobs', 'top_logprobs', 'logit_bias'],
    ],
  ])(
    'of %s are read or ignored with a warning, and Strict refuses those that are ignored',
    async (_who, fields, ignored) => {
      const { key } = await world.caller();
      const body = { ...HELLO, ...fields };
      const warnings = ignored.map((field) => `${field} was ignored: the model has no such field`);
      const whole = await world.api.post(PATH, body, { key });
      expect([whole.status, whole.body.warnings ?? []]).toEqual([200, warnings]);
      const priced = await world.api.post(`${PATH}?dry_run=true`, body, { key });
      expect(priced.body.data.warnings).toEqual(warnings);
      const strict = await world.api.post(PATH, body, { key, headers: { strict: 'true' } });
      const refused = strict.body.error?.errors ?? [strict.body.error];
      expect(strict.status === 200 ? [] : refused.map(({ param }: { param: string }) => param)).toEqual(ignored);
    },
  );

  it.each([
    ['maxCompletionTokens', { maxCompletionTokens: 16 }],
    ['n_predict', { n_predict: 16 }],
    ['maxCost', { maxCost: 0.001 }],
    ['nsfw_check', { nsfw_check: true }],
    ['webhook_url', { webhook_url: 'https://example.com' }],
    ['dry_run', { dry_run: true }],
    ['prompt', { prompt: 'x' }],
    ['reasoning', { reasoning: { effort: 'high' } }],
    ['thinking', { thinking: { type: 'enabled' } }],
    ['thinkingLevel', { thinkingLevel: 'high' }],
  ])(
    'are refused where another text would be made, reviewed and paid than was asked for: %s',
    async (field, fields) => {
      const { key } = await world.caller();
      const { status, body } = await world.api.post(PATH, { ...HELLO, ...fields }, { key });
      expect([status, body.error.param]).toEqual([400, field]);
    },
  );

  const called = (more: object) => ({
    id: 'c',
    type: 'function',
    function: { name: 'look_up', arguments: '{}', ...more },
  });
  const asked = (part: object) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x', ...part }] }] });

  it.each<[field: string, other: string, fields: object]>([
    [
      'tools[0].function.Parameters',
      'parameters',
      { tools: [{ type: 'function', function: { name: 'f', Parameters: {} } }] },
    ],
    [
      'messages[1].toolCalls',
      'tool_calls',
      { messages: [...HELLO.messages, { role: 'assistant', content: 'x', toolCalls: [{}] }] },
    ],
    [
      'messages[1].tool_calls[0].function.Arguments',
      'arguments',
      { messages: [...HELLO.messages, { role: 'assistant', tool_calls: [called({ Arguments: '{"a":1}' })] }] },
    ],
    ['messages[0].content[0].imageUrl', 'image_url', asked({ imageUrl: { url: 'x' } })],
    ['stream_options.includeUsage', 'include_usage', { stream: true, stream_options: { includeUsage: true } }],
    ['response_format.jsonSchema', 'json_schema', { response_format: { type: 'text', jsonSchema: {} } }],
    [
      'tool_choice.Function',
      'function',
      { ...weather, tool_choice: { type: 'function', function: { name: 'f' }, Function: {} } },
    ],
    [
      'extra_body.google.thinking_config.Thinking_Budget',
      'thinking_budget',
      { extra_body: { google: { thinking_config: { Thinking_Budget: 5 } } } },
    ],
    ['Temperature', 'temperature', { Temperature: 2 }],
    ['reasoningEffort', 'reasoning_effort', { reasoningEffort: 'low' }],
    ['Functions', 'tools', { Functions: [TOOL.function] }],
    ['functions[0].Parameters', 'parameters', { functions: [{ name: 'f', Parameters: {} }] }],
  ])(
    'are refused by their names at any depth where they are another spelling: %s is %s',
    async (field, other, fields) => {
      const { key } = await world.caller();
      const heard = world.vendor.heard.length;
      const { status, body } = await world.api.post(PATH, { ...HELLO, ...fields }, { key });
      const errors = body.error.errors ?? [body.error];
      expect([status, errors.map(({ param }: { param: string }) => param)]).toEqual([400, [field]]);
      expect(errors[0].message).toBe(`${field} is not a parameter of the model; use ${other}`);
      expect(world.vendor.heard).toHaveLength(heard);
    },
  );

  it.each<[field: string, fields: object]>([
    ['tools[0].cache', { tools: [{ ...TOOL, cache: true }] }],
    ['functions[0].cache', { functions: [{ ...TOOL.function, cache: true }] }],
    ['messages[0].weight', { messages: [{ ...HELLO.messages[0], weight: 1 }] }],
    ['messages[0].content[0].cache_control', asked({ cache_control: { type: 'ephemeral' } })],
    ['stream_options.every', { stream_options: { every: 5 } }],
    [
      'response_format.json_schema.mode',
      { response_format: { type: 'json_schema', json_schema: { schema: {}, mode: 'x' } } },
    ],
  ])('are ignored with a warning at any depth, and refused with Strict: %s', async (field, fields) => {
    const { key } = await world.caller();
    const body = { ...HELLO, ...fields };
    const whole = await world.api.post(PATH, body, { key });
    expect(whole.body.warnings).toContain(`${field} was ignored: the model has no such field`);
    const strict = await world.api.post(PATH, body, { key, headers: { strict: 'true' } });
    expect([strict.status, strict.body.error.param]).toEqual([400, field]);
  });

  it('within objects that ask for nothing are no fault, nor are those that clients send with each: answers that are sent back have many', async () => {
    const { key } = await world.caller();
    const said = { role: 'assistant', content: 'x', refusal: null, annotations: [], audio: null, function_call: null };
    const image = { url: `data:image/png;base64,${pngOf(8, 8).toString('base64')}`, detail: 'low' };
    const messages = [
      ...HELLO.messages,
      { ...said, tool_calls: null },
      { role: 'assistant', tool_calls: [{ ...called({}), index: 0 }] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
      { role: 'user', content: [{ type: 'image_url', image_url: image }] },
    ];
    const asked = { messages, tools: [{ ...TOOL, function: { ...TOOL.function, strict: true } }] };
    const { status, body } = await world.api.post(PATH, { ...HELLO, ...asked }, { key, headers: { strict: 'true' } });
    expect([status, body.warnings]).toEqual([200, undefined]);
  });

  it('are named by the first chunk of a stream', async () => {
    const { client } = await openClient();
    world.vendor.next(streams([answer('One.')]));
    const fields = { store: true, stream: true } as const;
    const chunks: object[] = [];
    for await (const chunk of await client.chat.completions.create({ ...HELLO, ...fields })) chunks.push(chunk);
    const [first, ...others] = chunks.map((chunk) => (chunk as { warnings?: string[] }).warnings);
    expect(first).toEqual(['store was ignored: the model has no such field']);
    expect(new Set(others)).toEqual(new Set([undefined]));
  });

  it('are not sent on where they ask for nothing: penalties of zero, no limit, no stop, a choice among no functions', async () => {
    const { caller, lastSent } = await openClient();
    const nothing = {
      presence_penalty: 0,
      frequency_penalty: 0,
      max_tokens: -1,
      stop: [],
      tools: [],
      tool_choice: 'none',
    };
    const { status } = await world.api.post(PATH, { ...HELLO, ...nothing }, { key: caller.key });
    expect(status).toBe(200);
    expect(Object.keys(lastSent())).toEqual(['contents']);
  });
});

describe('a sentence says what is wanted', () => {
  const turn = (call: object, result: object) => ({
    messages: [
      ...HELLO.messages,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', ...result },
    ],
  });
  const call = (args: string) => ({ id: 'c', type: 'function', function: { name: 'look_up', arguments: args } });
  const ARGUMENTS = 'messages[1].tool_calls[0].function.arguments must be a JSON object, such as {"city":"Oslo"}';

  it.each<[message: string, fields: object]>([
    ['model must be a string', { model: 5 }],
    ['n must be 1', { n: 2 }],
    ['n must be a number', { n: '1' }],
    ['modalities must be ["text"]', { modalities: ['text', 'audio'] }],
    ['reasoning is not a parameter of the model; use reasoning_effort', { reasoning: { max_tokens: 5 } }],
    [
      'messages[1].name answers no call that stands before it: send that call, too, and repeat its function_call.name here',
      { messages: [...HELLO.messages, { role: 'function', name: 'look_up', content: 'x' }] },
    ],
    [
      'messages[1].tool_call_id answers no call that stands before it: send that call, too, and repeat its tool_calls[].id here',
      { messages: [...HELLO.messages, { role: 'tool', tool_call_id: 'c', content: 'x' }] },
    ],
    [
      'messages[0].content[0].image_url.url must be an http or https URL, a data URL, base64 or the id of a file (file_ and 26 lower-case letters and digits)',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file_nope' } }] }] },
    ],
    [
      'previous_response_id refers to what is not stored here: leave it out, and send all of that in messages',
      { previous_response_id: 'resp_1' },
    ],
    [ARGUMENTS, turn(call('{oops'), { content: 'x' })],
    [ARGUMENTS, turn(call('[1]'), { content: 'x' })],
    ['messages[2].content must be a string or an array', turn(call('{}'), { content: { found: true } })],
  ])('%s', async (message, fields) => {
    const { key } = await world.caller();
    const { status, body } = await world.api.post(PATH, { ...HELLO, ...fields }, { key });
    expect([status, body.error.message]).toEqual([400, message]);
  });

  it('another value than the only one is an invalid parameter', async () => {
    const { key } = await world.caller();
    const { body } = await world.api.post(PATH, { ...HELLO, n: 2 }, { key });
    expect(body.error).toMatchObject({ code: 'invalid_parameter', param: 'n' });
  });
});

it('thinking that is turned off is ignored with a warning, by a model that thinks', async () => {
  const { key } = await world.caller();
  const { status, body } = await world.api.post(PATH, { ...HELLO, thinking: { type: 'disabled' } }, { key });
  expect([status, body.warnings]).toEqual([200, ['thinking was ignored: the model has no such field']]);
});

describe('what is not supported', () => {
  it.each<[param: string, fields: object]>([
    ['maxTokens', { maxTokens: 5 }],
    ['parallel_tool_calls', { parallel_tool_calls: 'no' }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_completion_tokens', { max_completion_tokens: 1_000_000 }],
    ['temperature', { temperature: 'warm' }],
    ['messages[0].role', { messages: [{ role: 'robot', content: 'x' }] }],
    [
      'messages[0].content[0].type',
      {
        messages: [
          {
            role: 'tool',
            tool_call_id: 'none',
            content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
          },
        ],
      },
    ],
    ['tools[0].function', { tools: [{ type: 'function' }] }],
    ['tools[0].function.parameters', { tools: [{ type: 'function', function: { name: 'f', parameters: '{}' } }] }],
    ['tools[0].function.description', { tools: [{ type: 'function', function: { name: 'f', description: {} } }] }],
    ['response_format.json_schema.schema', { response_format: { type: 'json_schema', json_schema: { schema: '{}' } } }],
    ['metadata.order', { metadata: { order: 1 } }],
    ['max_cost', { max_cost: '1' }],
    ['max_cost', { max_cost: 0 }],
  ])('%s is refused by its name, and nothing is booked', async (param, fields) => {
    const { key } = await world.caller();
    const rows = await world.api.countRows();
    const { status, body } = await world.api.post(PATH, { ...HELLO, ...fields }, { key });
    expect([status, body.error.param]).toEqual([400, param]);
    expect(await world.api.countRows()).toEqual(rows);
  });

  it.each<[what: string, metadata: object]>([
    ['a NUL character in a value', { order: 'a\u0000' }],
    ['half of a surrogate pair in a name', { '\ud83d': '7' }],
  ])('%s of the metadata, which no row can hold, is refused before the vendor is asked', async (_what, metadata) => {
    const { key } = await world.caller();
    const before = [await world.api.countRows(), world.vendor.heard.length];
    const { status, body } = await world.api.post(PATH, { ...HELLO, metadata }, { key });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect([await world.api.countRows(), world.vendor.heard.length]).toEqual(before);
  });

  it('values that ask for nothing special are no fault', async () => {
    const { key } = await world.caller();
    const plain = {
      n: 1,
      logprobs: false,
      parallel_tool_calls: true,
      logit_bias: {},
      store: false,
      user: 'u',
      stop: null,
      reasoning_effort: ' ',
    };
    const { status } = await world.api.post(PATH, { ...HELLO, ...plain, metadata: { order: '7' } }, { key });
    expect(status).toBe(200);
  });
});
