import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import { signatureOf } from '@mediagate/upstreams';

/** The parts of a piece of an answer that OpenAI's clients can be given. */
export interface TextPiece {
  text: string;
  /** The vendor's signature on the text. */
  signature: string | undefined;
  calls: MadeCall[];
  /** Why the answer ends with this piece; undefined: it goes on. */
  finishReason: string | undefined;
  usage: TextUsage | undefined;
}

export interface MadeCall {
  id: string;
  name: string;
  /** As JSON. */
  args: string;
  /** The vendor's signature on the thoughts that led to the call. */
  signature: string | undefined;
}

/** Tokens; what was read from a cache is part of the prompt, thoughts are part of the answer. */
export interface TextUsage {
  prompt: number;
  cached: number;
  answer: number;
  thoughts: number;
}

/** Words by which models say that an answer, or a prompt, was withheld. */
const WITHHELD = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'OTHER',
  'LANGUAGE',
]);

/** Reads a piece of an answer of a text model, or a whole one. What the model thought is not shown. */
export function readPiece(piece: JsonObject): TextPiece {
  const [candidate] = listOf(piece['candidates']);
  const parts = listOf(objectOf(candidate?.['content'])?.['parts']).filter((part) => part['thought'] !== true);
  const calls = parts.flatMap((part) => toCall(part) ?? []);
  const signed = parts.filter(({ functionCall }) => functionCall === undefined).map(signatureOf);
  const text = parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('');
  const isBlocked = objectOf(piece['promptFeedback'])?.['blockReason'] !== undefined;
  const word = candidate?.['finishReason'];
  return {
    text,
    signature: signed.findLast((signature) => signature !== undefined),
    calls,
    finishReason: isBlocked ? 'content_filter' : typeof word === 'string' ? toFinishReason(word) : undefined,
    usage: toUsage(objectOf(piece['usageMetadata'])),
  };
}

/**
 * The calls to hand out of a piece: where one at a time was asked for, the model makes the others again once it has the result of the first.
 *
 * @param before calls that were handed out of the same answer.
 */
export function handedOut(calls: readonly MadeCall[], parallel: boolean, before = 0): readonly MadeCall[] {
  return parallel ? calls : calls.slice(0, Math.max(0, 1 - before));
}

function toFinishReason(word: string): string {
  if (word === 'MAX_TOKENS') return 'length';
  return WITHHELD.has(word) ? 'content_filter' : 'stop';
}

/** Not every model gives its calls ids; the caller's answer needs one. */
function toCall(part: JsonObject): MadeCall | undefined {
  const call = objectOf(part['functionCall']);
  if (call === undefined) return undefined;
  const { id, name, args } = call;
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${randomUUID().replaceAll('-', '')}`,
    name: String(name),
    args: JSON.stringify(args ?? {}),
    signature: signatureOf(part),
  };
}

function toUsage(usage: JsonObject | undefined): TextUsage | undefined {
  if (usage === undefined) return undefined;
  const thoughts = count(usage['thoughtsTokenCount']);
  return {
    prompt: count(usage['promptTokenCount']) + count(usage['toolUsePromptTokenCount']),
    cached: count(usage['cachedContentTokenCount']),
    answer: count(usage['candidatesTokenCount']) + thoughts,
    thoughts,
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
