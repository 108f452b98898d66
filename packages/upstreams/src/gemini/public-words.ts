import type { Endpoint } from '../contract';

/** Longer explanations are whole documents. In characters. */
const WORDS_MAX_CHARS = 500;

/** Patterns of words that would show a caller who the vendor is, where it is, or as whom it is called. */
const REVEALING: readonly RegExp[] = [
  /google|gemini|gemma|vertex|palm|bard|deepmind|generative ?language|imagen|veo\b/i,
  /\b(?:api[-_ ]?)?keys?\b|credential|authenticat|authoriz|permission|project|billing|quota|account|console/i,
  /:\/\/|\bwww\.|\b[a-z0-9-]+\.(?:com|net|org|dev|app|io|ai|cloud|local|internal)\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/i,
  // Numbers of projects, keys and other opaque tokens; token counts are shorter.
  /\d{10}|[\w+/=-]{40}/,
];

/**
 * A vendor's own words on what is wrong with a request, for the caller who wrote it: on one line, at most 500 characters.
 * Undefined when they reveal anything but that, as a whole; nothing is cut out of the middle of a sentence.
 */
export function publicWords(message: string | undefined, { apiKey, model }: Endpoint): string | undefined {
  const words = message?.replace(/[\s\p{Cc}]+/gu, ' ').trim() ?? '';
  if (words === '' || words.length > WORDS_MAX_CHARS) return undefined;
  const secret = [apiKey, model].some((name) => name !== '' && words.includes(name));
  return secret || REVEALING.some((pattern) => pattern.test(words)) ? undefined : words;
}
