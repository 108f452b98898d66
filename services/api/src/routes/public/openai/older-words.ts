import { type Json, type JsonObject, type Message, message } from '@mediagate/contracts';

/** Values of OpenAI's older image models, by field, as what these models have in their place. */
const NEWER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  quality: { standard: 'medium', hd: 'high' },
  size: { '256x256': '1024x1024', '512x512': '1024x1024' },
};

/**
 * Replaces what clients of older models send, where the model chooses freely among sizes and qualities.
 *
 * @returns a warning for each value that was replaced.
 */
export function readOlderWords(body: JsonObject): Message[] {
  return Object.entries(NEWER).flatMap(([field, words]) => {
    const value = newer(body[field], words);
    if (value === undefined) return [];
    body[field] = value;
    return [message('read_as', { field, value })];
  });
}

function newer(value: Json | undefined, words: Readonly<Record<string, string>>): string | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return Object.hasOwn(words, word) ? words[word] : undefined;
}
