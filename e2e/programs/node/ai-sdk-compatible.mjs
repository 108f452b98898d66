import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { imageCalls, textCalls } from './ai-sdk-calls.mjs';
import { base, IMAGE, key, report, TEXT } from './report.mjs';

const provider = createOpenAICompatible({
  name: 'mediagate',
  baseURL: `${base}/openai/v1`,
  apiKey: key,
  supportsStructuredOutputs: true,
});

await report(['ai', '@ai-sdk/openai-compatible'], {
  ...textCalls(provider(TEXT)),
  ...imageCalls(provider.imageModel(IMAGE)),
});
