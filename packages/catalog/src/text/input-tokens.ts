import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { textTokens } from '../text-tokens';

/** The longest context of all: what refers to content that is not in the body may be of any length. */
const UNKNOWN_LENGTH = 1_048_576;
const BYTES_PER_TOKEN = 4;
/** A picture is read in tiles, and its size is not known before it is decoded: few bytes a tile, and never few tiles. */
const PICTURE = { tokensPerTile: 258, bytesPerTile: 16_384, minTiles: 4 } as const;
/** Sound and film are read by the second: this is beyond speech at 8 kbit/s. */
const BYTES_PER_TOKEN_OF_TIME = 32;

/**
 * Tokens of a prompt, estimated from above: texts by their UTF-8 bytes by four, each rounded up; declarations and results
 * of functions by those of their JSON; files in the body by their type and bytes. A file or a cache that the body only
 * names counts as the longest context there is.
 */
export function estimateInputTokens(body: JsonObject): number {
  const { contents, systemInstruction, tools, generationConfig = {}, cachedContent } = body;
  if (cachedContent !== undefined) return UNKNOWN_LENGTH;
  // The shape that the answer must have is told to the model.
  const { responseSchema, responseJsonSchema } = generationConfig as JsonObject;
  let tokens = partsTokens(systemInstruction);
  for (const told of [tools, responseSchema, responseJsonSchema]) tokens += jsonTokens(told);
  if (Array.isArray(contents)) for (const content of contents) tokens += partsTokens(content);
  return tokens;
}

function partsTokens(content: Json | undefined): number {
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
      return typeof value === 'string' ? textTokens(value) : 0;
    case 'inlineData':
    case 'inline_data':
      return fileTokens(value);
    case 'fileData':
    case 'file_data':
      return UNKNOWN_LENGTH;
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
    return PICTURE.tokensPerTile * Math.max(PICTURE.minTiles, Math.ceil(bytes / PICTURE.bytesPerTile));
  }
  if (/^(?:audio|video)\//.test(type)) return Math.ceil(bytes / BYTES_PER_TOKEN_OF_TIME);
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** By the bytes of its names and values, and some for what stands between; without recursion, however deep it is. */
function jsonTokens(value: Json | undefined): number {
  if (value === undefined) return 0;
  const waiting: Json[] = [value];
  let bytes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    bytes += PUNCTUATION_BYTES;
    if (typeof next === 'string') bytes += Buffer.byteLength(next);
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (isJsonObject(next)) {
      for (const name of Object.keys(next)) {
        bytes += Buffer.byteLength(name) + PUNCTUATION_BYTES;
        waiting.push(next[name] as Json);
      }
    } else bytes += String(next).length;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

const PUNCTUATION_BYTES = 3;
