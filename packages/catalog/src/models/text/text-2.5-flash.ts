import { defineModel } from '../../define-model';
import { textModel } from '../../text/text-model';

export default defineModel({
  id: 'text-2.5-flash',
  ...textModel({ input: 1_048_576, output: 65_536 }),
  prices: { text_input: 0.3, cached_text_input: 0.075, text_output: 2.5 },
  examples: [
    { contents: [{ role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] }] },
    {
      contents: [
        { role: 'user', parts: [{ text: 'Why do lighthouses blink?' }] },
        { role: 'model', parts: [{ text: 'So that sailors can tell one from another.' }] },
        { role: 'user', parts: [{ text: 'In one word?' }] },
      ],
      systemInstruction: { parts: [{ text: 'You are a keeper of few words.' }] },
      generationConfig: { maxOutputTokens: 256 },
    },
  ],
});
