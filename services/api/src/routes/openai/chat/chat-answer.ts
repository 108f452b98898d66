import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';

/** The parts of a piece of an answer that a chat completion can carry. */
export interface ChatPiece {
  text: string;
  calls: ToolCall[];
  /** Why the answer ends with this piece; undefined: it goes on. */
  finishReason: string | undefined;
  usage: JsonObject | undefined;
}

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
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
export function readPiece(piece: JsonObject): ChatPiece {
  const [candidate] = listOf(piece['candidates']);
  const parts = listOf(objectOf(candidate?.['content'])?.['parts']).filter((part) => part['thought'] !== true);
  const calls = parts.flatMap(({ functionCall }) => (isJsonObject(functionCall) ? [toToolCall(functionCall)] : []));
  const text = parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('');
  const isBlocked = objectOf(piece['promptFeedback'])?.['blockReason'] !== undefined;
  const word = candidate?.['finishReason'];
  return {
    text,
    calls,
    finishReason: isBlocked ? 'content_filter' : typeof word === 'string' ? toFinishReason(word) : undefined,
    usage: toUsage(objectOf(piece['usageMetadata'])),
  };
}

function toFinishReason(word: string): string {
  if (word === 'MAX_TOKENS') return 'length';
  return WITHHELD.has(word) ? 'content_filter' : 'stop';
}

/** Not every model gives its calls ids; the caller's answer needs one. */
function toToolCall({ id, name, args }: JsonObject): ToolCall {
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${randomUUID().replaceAll('-', '')}`,
    type: 'function',
    function: { name: String(name), arguments: JSON.stringify(args ?? {}) },
  };
}

function toUsage(usage: JsonObject | undefined): JsonObject | undefined {
  if (usage === undefined) return undefined;
  const [prompt, candidates, thoughts] = [
    count(usage['promptTokenCount']) + count(usage['toolUsePromptTokenCount']),
    count(usage['candidatesTokenCount']),
    count(usage['thoughtsTokenCount']),
  ];
  return {
    prompt_tokens: prompt,
    completion_tokens: candidates + thoughts,
    total_tokens: prompt + candidates + thoughts,
    prompt_tokens_details: { cached_tokens: count(usage['cachedContentTokenCount']) },
    completion_tokens_details: { reasoning_tokens: thoughts },
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
