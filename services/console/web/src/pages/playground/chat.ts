import type { Values } from './fields.ts';
import type { Operation } from './operation.ts';

/** Text models take prompts in a vendor's shape; here one talks to them as in a chat, and reads along. */
export const CHAT: Operation = {
  operation: 'text.generate',
  schema: {
    required: ['prompt'],
    properties: {
      prompt: { type: 'string' },
      instructions: { type: 'string' },
      max_completion_tokens: { type: 'integer', minimum: 1 },
      temperature: { type: 'number', minimum: 0, maximum: 2 },
    },
  },
  examples: [{ prompt: 'Why do lighthouses blink?' }],
  write(model, { prompt, instructions, ...settings }: Values) {
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: prompt },
    ];
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    return {
      model,
      messages: messages.filter(({ role, content }) => role === 'user' || Boolean(content)),
      ...Object.fromEntries(given),
      stream: true,
      stream_options: { include_usage: true },
    };
  },
};
