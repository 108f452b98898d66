import { createOpenAI } from '@ai-sdk/openai';
import { imageCalls, speechCalls, textCalls } from './ai-sdk-calls.mjs';
import { base, IMAGE, key, report, SPEECH, TEXT } from './report.mjs';

const openai = createOpenAI({ baseURL: `${base}/openai/v1`, apiKey: key });

/** The provider's models are those of responses, where nothing else is asked for. */
const named = (prefix, calls) => Object.fromEntries(Object.entries(calls).map(([name, call]) => [prefix + name, call]));

await report(['ai', '@ai-sdk/openai'], {
  ...textCalls(openai.chat(TEXT)),
  ...named('responses: ', textCalls(openai(TEXT))),
  ...imageCalls(openai.image(IMAGE)),
  ...speechCalls(openai.speech(SPEECH)),
});
