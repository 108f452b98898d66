// The calls of the AI SDK, whichever provider's models they are made with.
import assert from 'node:assert/strict';
import { generateImage, generateSpeech, generateText, isStepCount, Output, streamText, tool } from 'ai';
import { z } from 'zod';
import { isPng, QUESTION } from './report.mjs';

const look_up = tool({
  description: 'Looks up a place.',
  inputSchema: z.object({ place: z.string().optional() }),
  execute: async () => ({ height: 43 }),
});

export const textCalls = (model) => ({
  text: async () => assert.match((await generateText({ model, prompt: QUESTION })).text, /lighthouses/),
  stream: async () => {
    let pieces = 0;
    for await (const piece of streamText({ model, prompt: QUESTION }).textStream) if (piece !== '') pieces += 1;
    assert.ok(pieces > 1);
  },
  'tools over two turns': async () => {
    const prompt = 'Call the function look_up about lighthouses.';
    const answer = await generateText({ model, prompt, tools: { look_up }, stopWhen: isStepCount(2) });
    assert.equal(answer.steps.length, 2);
  },
  object: async () => {
    const output = Output.object({ schema: z.object({ reason: z.string() }) });
    assert.equal(typeof (await generateText({ model, prompt: QUESTION, output })).output.reason, 'string');
  },
});

export const imageCalls = (model) => ({
  image: async () => assert.ok(isPng((await generateImage({ model, prompt: 'a lighthouse' })).image.uint8Array)),
  'image edit': async () => {
    const { image } = await generateImage({ model, prompt: 'a lighthouse' });
    const prompt = { text: 'at night', images: [image.uint8Array] };
    assert.ok(isPng((await generateImage({ model, prompt })).image.uint8Array));
  },
});

export const speechCalls = (model) => ({
  speech: async () => {
    const { audio } = await generateSpeech({ model, text: 'Hello.', voice: 'coral' });
    assert.ok(audio.uint8Array.length > 1000);
  },
});
