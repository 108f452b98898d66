import { defineModel } from '../../define-model';
import { textModel } from '../../text/text-model';

export default defineModel({
  id: 'text-3.8-flash',
  ...textModel({ input: 1_048_576, output: 65_536, candidates: 1 }),
  // The vendor's price from 2027-01-01 on; until then it charges half of it.
  prices: { text_input: 1.5, cached_text_input: 0.15, text_output: 7.5 },
  examples: [
    { contents: [{ role: 'user', parts: [{ text: 'How does a lens of Fresnel save glass?' }] }] },
    {
      contents: [{ role: 'user', parts: [{ text: 'How does a lens of Fresnel save glass?' }] }],
      generationConfig: { maxOutputTokens: 2048, thinkingConfig: { thinkingLevel: 'low' } },
    },
  ],
});
