import assert from 'node:assert/strict';
import OpenAI, { toFile } from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { base, IMAGE, isPng, key, QUESTION, report, SPEECH, TEXT } from './report.mjs';

const client = new OpenAI({ baseURL: `${base}/openai/v1`, apiKey: key });
const messages = [{ role: 'user', content: QUESTION }];
const tools = [
  {
    type: 'function',
    function: { name: 'look_up', parameters: { type: 'object', properties: { place: { type: 'string' } } } },
  },
];
const image = async () => {
  const image = await client.images.generate({ model: IMAGE, prompt: 'a lighthouse', size: '1024x1024' });
  return Buffer.from(image.data[0].b64_json, 'base64');
};

await report(['openai'], {
  models: async () => assert.ok((await client.models.list()).data.some(({ id }) => id === TEXT)),
  chat: async () => {
    const answer = await client.chat.completions.create({ model: TEXT, messages });
    assert.match(answer.choices[0].message.content, /lighthouses/);
  },
  stream: async () => {
    const stream = client.chat.completions.stream({
      model: TEXT,
      messages,
      stream_options: { include_usage: true },
    });
    let pieces = 0;
    for await (const chunk of stream) if (chunk.choices.length > 0) pieces += 1;
    assert.ok(pieces > 1);
    assert.ok((await stream.totalUsage()).total_tokens > 0);
  },
  'tools over two turns': async () => {
    const first = await client.chat.completions.create({ model: TEXT, messages, tools, tool_choice: 'required' });
    const { message } = first.choices[0];
    const results = message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '{"height":43}' }));
    const second = await client.chat.completions.create({
      model: TEXT,
      messages: [...messages, message, ...results],
      tools,
    });
    assert.equal(second.choices[0].finish_reason, 'stop');
  },
  'a runner of tools': async () => {
    const runner = client.chat.completions.runTools({
      model: TEXT,
      messages: [{ role: 'user', content: 'Call the function look_up about lighthouses.' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'look_up',
            function: () => ({ height: 43 }),
            parse: JSON.parse,
            description: 'Looks up a place.',
            parameters: { type: 'object', properties: { place: { type: 'string' } } },
          },
        },
      ],
    });
    assert.equal(typeof (await runner.finalContent()), 'string');
  },
  'structured output': async () => {
    const response_format = zodResponseFormat(z.object({ reason: z.string() }), 'reason');
    const answer = await client.chat.completions.parse({ model: TEXT, messages, response_format });
    assert.equal(typeof answer.choices[0].message.parsed.reason, 'string');
  },
  responses: async () => {
    const answer = await client.responses.create({ model: TEXT, input: QUESTION });
    assert.match(answer.output_text, /lighthouses/);
  },
  'responses as a stream': async () => {
    const types = [];
    for await (const { type } of client.responses.stream({ model: TEXT, input: QUESTION })) types.push(type);
    assert.deepEqual([types[0], types.at(-1)], ['response.created', 'response.completed']);
  },
  'structured responses': async () => {
    const text = { format: zodTextFormat(z.object({ reason: z.string() }), 'reason') };
    const answer = await client.responses.parse({ model: TEXT, input: QUESTION, text });
    assert.equal(typeof answer.output_parsed.reason, 'string');
  },
  image: async () => assert.ok(isPng(await image())),
  'image edit': async () => {
    const file = await toFile(await image(), 'a.png', { type: 'image/png' });
    const edited = await client.images.edit({ model: IMAGE, prompt: 'at night', image: file });
    assert.ok(isPng(Buffer.from(edited.data[0].b64_json, 'base64')));
  },
  speech: async () => {
    const speech = await client.audio.speech.create({ model: SPEECH, voice: 'coral', input: 'Hello.' });
    assert.equal(speech.headers.get('content-type'), 'audio/mpeg');
    assert.ok((await speech.arrayBuffer()).byteLength > 1000);
  },
});
