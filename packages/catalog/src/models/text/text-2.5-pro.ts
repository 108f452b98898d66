import { defineModel } from '../../define-model';
import { textModel } from '../../text/text-model';

export default defineModel({
  id: 'text-2.5-pro',
  ...textModel({ input: 1_048_576, output: 65_536 }),
  prices: { text_input: 1.25, cached_text_input: 0.31, text_output: 10 },
  examples: [
    { contents: [{ role: 'user', parts: [{ text: 'Plan a week of watches for three keepers.' }] }] },
    {
      contents: [{ role: 'user', parts: [{ text: 'Plan a week of watches for three keepers.' }] }],
      generationConfig: { maxOutputTokens: 2048 },
    },
  ],
});
