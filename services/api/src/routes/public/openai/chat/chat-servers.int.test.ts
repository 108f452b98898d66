import type { JsonObject } from '@mediagate/contracts';
import OpenAI from 'openai';
import { startTestApi, type TestApi } from '../../../../../test/test-api';
import { answer, openTextVendor, refuses, says, type TextVendor } from '../../../../../test/text-upstream';

/** A server of chat completions, asked first, and one of the native protocol. */
let chat: TextVendor;
let native: TextVendor;
let api: TestApi;

const USAGE = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };

function completion(content: string): JsonObject {
  return {
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: USAGE,
  };
}

beforeAll(async () => {
  chat = await openTextVendor(says(completion('From the chat server.')));
  native = await openTextVendor(says(answer('From the native one.')));
  const channel = chat.channel();
  const baseUrl = channel.baseUrl.replace('/v1beta', '/v1');
  const first = { ...channel, id: 'chat', protocol: 'openai-chat', baseUrl };
  api = await startTestApi({ textChannels: [first, native.channel({ priority: 2 })] });
});
afterAll(async () => {
  await api.stop();
  await chat.close();
  await native.close();
});

const ASKED = { contents: [{ role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] }] };
const FLASH = '/v1beta/models/text-2.5-flash';

async function openClient() {
  const { key } = await api.createCaller();
  return { key, client: new OpenAI({ apiKey: key, baseURL: `${api.url}/openai/v1`, maxRetries: 0 }) };
}

describe('a text model behind a server of chat completions', () => {
  it('answers the native endpoint in its own shape', async () => {
    const { key } = await openClient();
    const { status, body } = await api.post(`${FLASH}:generateContent`, ASKED, { key });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{ text: 'From the chat server.' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
    });
    expect(chat.heard.at(-1)?.path).toBe('/v1/chat/completions');
  });

  it.each([
    ['a HEIC', '\0\0\0\x1cftypheic\0\0\0\0', 'From the native one.'],
    ['a GIF', 'GIF89a\x01\0\x01\0', 'From the chat server.'],
  ])('has %s read by the vendor that reads those', async (_what, bytes, text) => {
    const { key } = await openClient();
    const inlineData = { mimeType: 'image/png', data: Buffer.from(bytes, 'latin1').toString('base64') };
    const contents = [{ parts: [{ text: 'What is this?' }, { inlineData }] }];
    const { status, body } = await api.post(`${FLASH}:generateContent`, { contents }, { key });
    expect([status, body.data.candidates[0].content.parts]).toEqual([200, [{ text }]]);
  });

  it('answers chat completions, streamed and with functions', async () => {
    const { client } = await openClient();
    const call = { id: 'call_1', function: { name: 'look', arguments: '{"a":' } };
    const chunk = (delta: JsonObject, finish: string | null = null) => ({
      id: 'c1',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    chat.next((response) => {
      const chunks = [
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Let me see.' }),
        chunk({ tool_calls: [{ index: 0, ...call }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
        chunk({}, 'tool_calls'),
        { id: 'c1', choices: [], usage: USAGE },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`);
    });
    const stream = client.chat.completions.stream({
      model: 'text-2.5-flash',
      messages: [{ role: 'user', content: 'Look.' }],
      tools: [{ type: 'function', function: { name: 'look', parameters: {} } }],
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Let me see.',
        tool_calls: [{ id: 'call_1', function: { name: 'look', arguments: '{"a":1}' } }],
      },
    });
    expect(final.usage).toMatchObject(USAGE);
  });

  it('is left out where it cannot say what is asked, or is away', async () => {
    const { key, client } = await openClient();
    const heard = chat.heard.length;
    const searching = { ...ASKED, tools: [{ googleSearch: {} }] };
    const { body } = await api.post(`${FLASH}:generateContent`, searching, { key });
    expect(body.data.candidates[0].content.parts[0].text).toBe('From the native one.');
    native.next(says({ totalTokens: 5 }));
    expect((await api.post(`${FLASH}:countTokens`, ASKED, { key })).body.data).toEqual({ totalTokens: 5 });
    expect(chat.heard).toHaveLength(heard);
    chat.next(refuses(503, 'overloaded'));
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const { choices } = await client.chat.completions.create({ model: 'text-2.5-flash', messages });
    expect(choices[0]?.message.content).toBe('From the native one.');
  });
});
