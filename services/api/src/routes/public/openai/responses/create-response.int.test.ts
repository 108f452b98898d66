import { forAllTests } from '@mediagate/testkit';
import OpenAI from 'openai';
import { pngOf } from '../../../../../test/test-images';
import { answer, says, streams, USAGE } from '../../../../../test/text-upstream';
import { COST, openTextWorld } from '../../../../../test/text-world';

const world = forAllTests(openTextWorld);
afterEach(() => world.quiet());

const MODEL = 'text-2.5-flash';
const PATH = '/openai/v1/responses';
const HELLO = { model: MODEL, input: 'Why do lighthouses blink?' };
const TOOL = {
  type: 'function' as const,
  strict: false,
  name: 'look_up',
  parameters: { type: 'object', properties: {} },
};
const part = (more: object, finishReason = 'STOP') => ({
  candidates: [{ content: { role: 'model', parts: [more] }, finishReason }],
  usageMetadata: USAGE,
});
const called = (name: string) => ({ functionCall: { name, args: { place: 'harbour' } } });

async function openClient() {
  const caller = await world.caller();
  const client = new OpenAI({ apiKey: caller.key, baseURL: `${world.api.url}/openai/v1`, maxRetries: 0 });
  const lastSent = () => JSON.parse(world.vendor.heard.at(-1)?.body ?? 'null');
  return { caller, client, lastSent };
}

describe('a response by OpenAI’s own client', () => {
  it('is answered whole, and costs what the vendor reported', async () => {
    const { caller, client, lastSent } = await openClient();
    const { data, response } = await client.responses
      .create({
        ...HELLO,
        instructions: 'Be short.',
        max_output_tokens: 50,
        temperature: 0.5,
        reasoning: { effort: 'low' },
      })
      .withResponse();
    expect(data).toMatchObject({
      object: 'response',
      status: 'completed',
      model: MODEL,
      output_text: 'So that they are told apart.',
      instructions: 'Be short.',
      usage: { input_tokens: 5, output_tokens: 9, total_tokens: 14, output_tokens_details: { reasoning_tokens: 2 } },
    });
    expect(lastSent()).toEqual({
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] }],
      generationConfig: { temperature: 0.5, maxOutputTokens: 50, thinkingConfig: { thinkingBudget: 1024 } },
    });
    await world.ended(response.headers.get('x-task-id'), caller);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
  });

  it('takes null, which its record has, as an absent field', async () => {
    const { caller, lastSent } = await openClient();
    const content = [{ type: 'input_file', file_data: 'data:text/plain;base64,QUJD', file_id: null, file_url: null }];
    const body = { ...HELLO, input: [{ role: 'user', content }], reasoning: { effort: null }, text: { format: null } };
    expect((await world.api.post(PATH, body, { key: caller.key })).status).toBe(200);
    expect(lastSent().generationConfig).toBeUndefined();
  });

  it('comes as OpenAI’s events, numbered without a gap, whose last is the whole response', async () => {
    const { client } = await openClient();
    const pieces = [answer('One', {}), part({ text: ' two.' }, 'MAX_TOKENS')];
    world.vendor.next(streams(pieces));
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create({ ...HELLO, stream: true })) events.push(event);
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.incomplete',
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual([...events.keys()]);
    expect(events.at(-1)).toMatchObject({
      response: {
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'One two.' }] }],
        usage: { total_tokens: 14 },
      },
    });
  });

  it.each([false, true])('calls functions, and takes what they gave (as events: %s)', async (isStreamed) => {
    const { client, lastSent } = await openClient();
    const script = isStreamed
      ? streams([answer('Let me see.', {}), part(called('look_up'))])
      : says(part(called('look_up')));
    world.vendor.next(script);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Where?' }];
    const body = { model: MODEL, input, tools: [TOOL], tool_choice: { type: 'function' as const, name: 'look_up' } };
    const first = isStreamed
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    const [call] = first.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    expect(call).toMatchObject({ name: 'look_up', arguments: '{"place":"harbour"}', status: 'completed' });
    expect(lastSent().toolConfig).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look_up'] },
    });
    const id = String(call?.call_id);
    input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]));
    input.push({ type: 'function_call_output', call_id: id, output: '{"found":true}' });
    await client.responses.create({ model: MODEL, input });
    expect(lastSent().contents).toEqual([
      { role: 'user', parts: [{ text: 'Where?' }] },
      {
        role: 'model',
        parts: [
          ...(isStreamed ? [{ text: 'Let me see.' }] : []),
          { functionCall: { id, name: 'look_up', args: { place: 'harbour' } } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id, name: 'look_up', response: { found: true } } }] },
    ]);
  });

  it('takes images, and asks for JSON of a schema', async () => {
    const { client, lastSent } = await openClient();
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const data = pngOf(8, 8).toString('base64');
    await client.responses.create({
      model: MODEL,
      input: [
        { role: 'developer', content: 'Look.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: `data:image/png;base64,${data}`, detail: 'high' },
          ],
        },
        { role: 'assistant', content: 'A boat.' },
        { role: 'user', content: 'Sure?' },
      ],
      text: { format: { type: 'json_schema', name: 'x', schema } },
    });
    expect(lastSent()).toEqual({
      systemInstruction: { parts: [{ text: 'Look.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data } }] },
        { role: 'model', parts: [{ text: 'A boat.' }] },
        { role: 'user', parts: [{ text: 'Sure?' }] },
      ],
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
    });
  });
});

it('one call at a time is what a caller gets who asks for that, whole and as events', async () => {
  const { client } = await openClient();
  const both = { candidates: [{ content: { role: 'model', parts: [called('look_up'), called('look_up')] } }] };
  const body = { ...HELLO, tools: [TOOL], parallel_tool_calls: false };
  world.vendor.next(says(both));
  expect((await client.responses.create(body)).output).toHaveLength(1);
  world.vendor.next(streams([both, part(called('look_up'))]));
  expect((await client.responses.stream(body).finalResponse()).output).toHaveLength(1);
  world.vendor.next(says(both));
  expect((await client.responses.create({ ...body, parallel_tool_calls: true })).output).toHaveLength(2);
});

it('a prompt that the vendor withholds is an incomplete response', async () => {
  const { client } = await openClient();
  world.vendor.next(says({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: USAGE }));
  const { status, incomplete_details: details } = await client.responses.create(HELLO);
  expect([status, details]).toEqual(['incomplete', { reason: 'content_filter' }]);
});

describe('fields that are not served', () => {
  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['max_tokens', { max_tokens: 5 }],
    ['reasoning_effort', { reasoning_effort: 'low' }],
    ['thinking', { thinking: { type: 'enabled' } }],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0].type', { input: [{ type: 'web_search_call', id: 'ws_1' }] }],
    ['input[0].call_id', { input: [{ type: 'function_call_output', call_id: 'c', output: '' }] }],
    [
      'input[0].output[1].type',
      {
        input: [
          {
            type: 'function_call_output',
            call_id: 'c',
            output: [
              { type: 'input_text', text: 'seen' },
              { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
            ],
          },
        ],
      },
    ],
    [
      'input[0].content[0].file_url',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'http://a.b' }] }] },
    ],
    ['input', { input: [] }],
    ['max_output_tokens', { max_output_tokens: -5 }],
  ])('%s is refused by its name, and nothing is asked', async (param, more) => {
    const { key } = await world.caller();
    const heard = world.vendor.heard.length;
    const { status, body } = await world.api.post(PATH, { ...HELLO, ...more }, { key });
    expect([status, body.error.param, world.vendor.heard.length]).toEqual([400, param, heard]);
  });

  it('those that change nothing of the work are ignored and named, in the first event too; `Strict` refuses them', async () => {
    const { key } = await world.caller();
    const body = { ...HELLO, store: true, truncation: 'disabled', background: false, include: [] };
    const whole = await world.api.post(PATH, body, { key });
    expect(whole.body.warnings).toEqual([expect.stringContaining('store')]);
    world.vendor.next(streams([answer('One')]));
    const streamed = await world.api.post(PATH, { ...body, stream: true }, { key });
    expect(String(streamed.body)).toContain('"warnings":["store');
    const strict = await world.api.post(PATH, body, { key, headers: { Strict: 'true' } });
    expect([strict.status, strict.body.error.param]).toEqual([400, 'store']);
  });
});

describe('a field that a response does not have, at any depth', () => {
  const said = (part: object) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'x', ...part }] }] });

  it.each<[field: string, fields: object, words: string]>([
    ['text.Format', { text: { Format: { type: 'json_object' } } }, 'use format'],
    ['reasoning.Effort', { reasoning: { Effort: 'low' } }, 'use effort'],
    ['tools[0].Parameters', { tools: [{ ...TOOL, Parameters: { type: 'object' } }] }, 'use parameters'],
    ['input[0].content[0].imageUrl', said({ imageUrl: 'x' }), 'use image_url'],
    ['maxTokens', { maxTokens: 5 }, 'use max_output_tokens'],
    [
      'previousResponseId',
      { previousResponseId: 'resp_1' },
      'not stored here: leave it out, and send all of that in input',
    ],
  ])('is refused by its name where it is another spelling: %s', async (field, fields, words) => {
    const { key } = await world.caller();
    const { status, body } = await world.api.post(PATH, { ...HELLO, ...fields }, { key });
    expect([status, body.error.param]).toEqual([400, field]);
    expect(body.error.message).toContain(words);
  });

  it.each<[field: string, fields: object]>([
    ['reasoning.summary', { reasoning: { effort: 'low', summary: 'auto' } }],
    ['text.format.mode', { text: { format: { type: 'json_object', mode: 'x' } } }],
    ['input[0].content[0].cache_control', said({ cache_control: { type: 'ephemeral' } })],
  ])('is ignored with a warning, and refused with Strict: %s', async (field, fields) => {
    const { key } = await world.caller();
    const whole = await world.api.post(PATH, { ...HELLO, ...fields }, { key });
    expect(whole.body.warnings).toEqual([`${field} was ignored: the model has no such field`]);
    const strict = await world.api.post(PATH, { ...HELLO, ...fields }, { key, headers: { strict: 'true' } });
    expect([strict.status, strict.body.error.param]).toEqual([400, field]);
  });
});
