import { forAllTests } from '@mediagate/testkit';
import OpenAI from 'openai';
import { keyOf, startUnderTest } from './simulator-under-test';

let client: OpenAI;

const simulator = forAllTests(startUnderTest);
beforeAll(async () => {
  client = new OpenAI({ apiKey: keyOf('openai'), baseURL: `${simulator.url}/openai/v1`, maxRetries: 0 });
});
afterEach(() => simulator.reset());

type Order = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

const model = 'gpt-4.1-mini';
const user = (content: string) => ({ role: 'user' as const, content });
const ask = (content: string, order: Order = {}) =>
  client.chat.completions.create({ model, messages: [user(content)], ...order });
const look = {
  type: 'function' as const,
  function: {
    name: 'look_up',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
};

describe("the vendor's own client", () => {
  it('gets a whole completion, and what it used', async () => {
    const { choices, usage, model: named } = await ask('Why do lighthouses blink?');
    expect(choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: expect.stringContaining('lighthouses'), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ]);
    expect([named, usage?.prompt_tokens]).toEqual([model, 7]);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  });

  it('gets the same in chunks, and the usage where it asks for it', async () => {
    const { choices, usage } = await ask('Why do lighthouses blink?');
    const stream = client.chat.completions.stream({
      model,
      messages: [user('Why do lighthouses blink?')],
      stream_options: { include_usage: true },
    });
    let chunks = 0;
    for await (const _chunk of stream) chunks += 1;
    const final = await stream.finalChatCompletion();
    expect(chunks).toBeGreaterThan(4);
    expect(final.choices[0]?.message.content).toBe(choices[0]?.message.content);
    expect(final.usage?.total_tokens).toBe(usage?.total_tokens);
  });

  it('gets calls of functions, whole and in chunks, and an answer on what they gave', async () => {
    const order = { tools: [look], tool_choice: 'required' as const };
    const [choice] = (await ask('Where is the harbour?', order)).choices;
    const [call] = choice?.message.tool_calls ?? [];
    expect(choice?.finish_reason).toBe('tool_calls');
    if (call?.type !== 'function') throw new Error('no call');
    expect(JSON.parse(call.function.arguments)).toEqual({ place: expect.any(String) });
    const streamed = client.chat.completions.stream({ model, messages: [user('Where is the harbour?')], ...order });
    const [again] = (await streamed.finalChatCompletion()).choices;
    expect(again?.message.tool_calls?.[0]).toMatchObject({ function: call.function });
    const answer = await client.chat.completions.create({
      model,
      tools: [look],
      messages: [
        user('Where is the harbour?'),
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: '{"found":true}' },
      ],
    });
    expect(answer.choices[0]?.message.content).toContain('"found":true');
  });

  it('gets what is cut by its length, and JSON of a schema', async () => {
    const cut = await ask('Write 200 words', { max_completion_tokens: 3 });
    expect([cut.choices[0]?.finish_reason, cut.usage?.completion_tokens]).toEqual(['length', 3]);
    const schema = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
    const format = { type: 'json_schema' as const, json_schema: { name: 'place', schema } };
    const { choices } = await ask('Where?', { response_format: format });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ place: expect.any(String) });
  });

  it.each<[what: string, order: object, refused: object]>([
    ['a model there is none of', { model: 'gpt-0' }, { status: 404, code: 'model_not_found' }],
    ['an argument that it does not know', { topK: 1 }, { status: 400 }],
    ['a limit of another name', { model: 'gpt-5.2', max_tokens: 5 }, { status: 400, param: 'max_tokens' }],
    ['a result of no call', { messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] }, { status: 400 }],
  ])('is refused %s', async (_what, order, refused) => {
    await expect(ask('Hello', order)).rejects.toMatchObject(refused);
  });
});
