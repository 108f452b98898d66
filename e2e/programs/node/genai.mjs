import assert from 'node:assert/strict';
import { GoogleGenAI, Type } from '@google/genai';
import { base, GEMINI_IMAGE, isPng, key, QUESTION, report, TEXT } from './report.mjs';

const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: `${base}/gemini` } });
const parameters = { type: Type.OBJECT, properties: { place: { type: Type.STRING } } };
const tools = [{ functionDeclarations: [{ name: 'look_up', description: 'Looks up a place.', parameters }] }];

await report(['@google/genai'], {
  text: async () => {
    const answer = await client.models.generateContent({ model: TEXT, contents: QUESTION });
    assert.match(answer.text, /lighthouses/);
  },
  stream: async () => {
    let pieces = 0;
    for await (const piece of await client.models.generateContentStream({ model: TEXT, contents: QUESTION })) {
      if (piece.text) pieces += 1;
    }
    assert.ok(pieces > 1);
  },
  chat: async () => {
    const chat = client.chats.create({ model: TEXT });
    await chat.sendMessage({ message: QUESTION });
    assert.ok((await chat.sendMessage({ message: 'And at noon?' })).text);
  },
  'count of tokens': async () => {
    assert.ok((await client.models.countTokens({ model: TEXT, contents: QUESTION })).totalTokens > 0);
  },
  'tools over two turns': async () => {
    const config = { tools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } };
    const first = await client.models.generateContent({ model: TEXT, contents: QUESTION, config });
    const [{ id, name }] = first.functionCalls;
    const result = { functionResponse: { ...(id && { id }), name, response: { height: 43 } } };
    const contents = [
      { role: 'user', parts: [{ text: QUESTION }] },
      first.candidates[0].content,
      { role: 'user', parts: [result] },
    ];
    assert.ok((await client.models.generateContent({ model: TEXT, contents, config: { tools } })).text);
  },
  image: async () => {
    const config = { responseModalities: ['IMAGE'] };
    const made = await client.models.generateContent({ model: GEMINI_IMAGE, contents: 'a lighthouse', config });
    assert.ok(isPng(Buffer.from(made.data, 'base64')));
  },
  'structured output': async () => {
    const responseSchema = { type: Type.OBJECT, properties: { reason: { type: Type.STRING } }, required: ['reason'] };
    const config = { responseMimeType: 'application/json', responseSchema };
    const answer = await client.models.generateContent({ model: TEXT, contents: QUESTION, config });
    assert.equal(typeof JSON.parse(answer.text).reason, 'string');
  },
});
