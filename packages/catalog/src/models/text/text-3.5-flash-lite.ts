import { defineModel } from '../../define-model';
import { textModel } from '../../text/text-model';

export default defineModel({
  id: 'text-3.5-flash-lite',
  ...textModel({ input: 1_048_576, output: 65_536, candidates: 1 }),
  prices: { text_input: 0.3, cached_text_input: 0.03, text_output: 2.5 },
  examples: [
    { contents: [{ role: 'user', parts: [{ text: 'Name three lighthouses.' }] }] },
    {
      contents: [{ role: 'user', parts: [{ text: 'Name three lighthouses.' }] }],
      generationConfig: { maxOutputTokens: 2048, thinkingConfig: { thinkingLevel: 'low' } },
    },
  ],
});
