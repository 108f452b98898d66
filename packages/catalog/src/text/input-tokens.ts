import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { LONGEST_CONTEXT } from './limits';

const BYTES_PER_TOKEN = 4;
/** An image is read in tiles, and its size is not known before it is decoded: few bytes a tile, and never few tiles. */
const IMAGE = { tokensPerTile: 258, bytesPerTile: 16_384, minTiles: 4 } as const;
/** Sound is read by the second, at 32 tokens: speech is hardly ever sent at less than the 4 kbit/s that this allows for. */
const BYTES_PER_TOKEN_OF_SOUND = 16;

/**
 * Estimates the tokens of a prompt. A text has one for every four UTF-8 bytes, rounded up; declarations and results of functions
 * count as their JSON; images, sound and text files in the body count by their bytes. Bytes do not tell the length of documents
 * and videos, of files and caches that the body only names, and of what the vendor's own tools read: one of them counts as the
 * longest context there is.
 */
export function estimateInputTokens(body: JsonObject): number {
  const { contents, systemInstruction, tools, generationConfig = {}, cachedContent } = body;
  if (cachedContent !== undefined || readsByItself(tools)) return LONGEST_CONTEXT;
  // The shape that the answer must have counts as input.
  const { responseSchema, responseJsonSchema } = generationConfig as JsonObject;
  let tokens = estimateContentTokens(systemInstruction);
  for (const schema of [tools, responseSchema, responseJsonSchema]) tokens += jsonTokens(schema);
  return Array.isArray(contents) ? tokens + conversationTokens(contents) : tokens;
}

/** A price estimates the same conversation several times, and nobody changes one that was judged. */
const ESTIMATED = new WeakMap<Json[], number>();

function conversationTokens(contents: Json[]): number {
  const known = ESTIMATED.get(contents);
  if (known !== undefined) return known;
  let tokens = 0;
  for (const content of contents) tokens += estimateContentTokens(content);
  ESTIMATED.set(contents, tokens);
  return tokens;
}

/** Whether the vendor runs one of the tools, unlike functions, which the caller runs. */
function readsByItself(tools: Json | undefined): boolean {
  if (!Array.isArray(tools)) return false;
  return tools.filter(isJsonObject).some((tool) => {
    const given = Object.keys(tool).filter((name) => tool[name] !== null);
    return given.some((name) => !FUNCTIONS.has(name));
  });
}

const FUNCTIONS = new Set(['functionDeclarations', 'function_declarations']);

/** Estimates one turn of the conversation, whoever speaks, by the same rules. */
export function estimateContentTokens(content: Json | undefined): number {
  const parts = isJsonObject(content) ? content['parts'] : undefined;
  if (!Array.isArray(parts)) return isJsonObject(parts) ? partTokens(parts) : 0;
  let tokens = 0;
  for (const part of parts) tokens += partTokens(part);
  return tokens;
}

function partTokens(part: Json): number {
  if (!isJsonObject(part)) return 0;
  let tokens = 0;
  for (const name of Object.keys(part)) tokens += fieldTokens(name, part[name] as Json);
  return tokens;
}

function fieldTokens(name: string, value: Json): number {
  switch (name) {
    case 'text':
      return typeof value === 'string' ? Math.ceil(bytesOf(value) / BYTES_PER_TOKEN) : 0;
    case 'inlineData':
    case 'inline_data':
      return fileTokens(value);
    case 'fileData':
    case 'file_data':
      return LONGEST_CONTEXT;
    default:
      // Marks on a part, such as a thought's signature, are no content.
      return isJsonObject(value) ? jsonTokens(value) : 0;
  }
}

function fileTokens(file: Json): number {
  if (!isJsonObject(file) || typeof file['data'] !== 'string') return 0;
  const bytes = Math.ceil((file['data'].length * 3) / 4);
  const type = String(file['mimeType'] ?? file['mime_type'] ?? '').toLowerCase();
  if (type.startsWith('image/')) {
    return IMAGE.tokensPerTile * Math.max(IMAGE.minTiles, Math.ceil(bytes / IMAGE.bytesPerTile));
  }
  if (type.startsWith('audio/')) return Math.ceil(bytes / BYTES_PER_TOKEN_OF_SOUND);
  return /^(?:text\/|application\/json$)/.test(type) ? Math.ceil(bytes / BYTES_PER_TOKEN) : LONGEST_CONTEXT;
}

/** By the bytes of its names and values, and some for what stands between; without recursion, however deep it is. */
function jsonTokens(value: Json | undefined): number {
  if (value === undefined) return 0;
  const waiting: Json[] = [value];
  let bytes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    bytes += PUNCTUATION_BYTES;
    if (typeof next === 'string') bytes += bytesOf(next);
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (isJsonObject(next)) {
      for (const name of Object.keys(next)) {
        bytes += bytesOf(name) + PUNCTUATION_BYTES;
        waiting.push(next[name] as Json);
      }
    } else bytes += String(next).length;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

const PUNCTUATION_BYTES = 3;

/** The bytes of a text whose characters are more than the longest context already are not counted: a price looks several times. */
function bytesOf(text: string): number {
  return text.length > LONGEST_CONTEXT * BYTES_PER_TOKEN ? text.length : Buffer.byteLength(text);
}
