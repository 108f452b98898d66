import assert from 'node:assert/strict';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { base, key, QUESTION, report, TEXT } from './report.mjs';

const model = new ChatOpenAI({ model: TEXT, apiKey: key, configuration: { baseURL: `${base}/openai/v1` } });
const lookUp = tool(() => '{"height":43}', {
  name: 'look_up',
  description: 'Looks up a place.',
  schema: z.object({ place: z.string().optional() }),
});

await report(['@langchain/openai'], {
  text: async () => assert.match((await model.invoke(QUESTION)).content, /lighthouses/),
  stream: async () => {
    let pieces = 0;
    for await (const piece of await model.stream(QUESTION)) if (piece.content !== '') pieces += 1;
    assert.ok(pieces > 1);
  },
  'tools over two turns': async () => {
    const bound = model.bindTools([lookUp]);
    const asked = new HumanMessage('Call the function look_up about lighthouses.');
    const called = await bound.invoke([asked]);
    const results = called.tool_calls.map(({ id }) => new ToolMessage({ tool_call_id: id, content: '{"height":43}' }));
    assert.ok(results.length > 0);
    assert.ok((await bound.invoke([asked, called, ...results])).content);
  },
  'structured output': async () => {
    const structured = model.withStructuredOutput(z.object({ reason: z.string() }));
    assert.equal(typeof (await structured.invoke(QUESTION)).reason, 'string');
  },
});
