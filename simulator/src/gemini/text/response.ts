import type { Call, JsonObject } from '../../vendor-call/contract';
import type { Candidate } from './candidate';
import type { TextOrder } from './order';
import { tokensIn } from './tokens';

/** A part of one candidate, as a stream sends it; the whole of it otherwise. */
export interface Piece {
  index: number;
  parts: JsonObject[];
  /** In the last piece of a candidate. */
  finishReason?: string;
}

/** Tokens produced up to now, over all candidates. */
export interface Produced {
  candidatesTokens: number;
  thoughtsTokens: number;
}

export function responseOf(
  pieces: Piece[],
  { order, call, produced }: { order: TextOrder; call: Call; produced: Produced },
): JsonObject {
  return {
    ...(pieces.length > 0 && { candidates: pieces.map(candidateOf) }),
    usageMetadata: usageOf(order, produced),
    modelVersion: order.model,
    responseId: call.requestId,
  };
}

function candidateOf({ index, parts, finishReason }: Piece): JsonObject {
  const content = { ...(parts.length > 0 && { parts }), role: 'model' };
  return { content, ...(finishReason && { finishReason, safetyRatings }), index };
}

/** How the vendor refuses a prompt: HTTP 200 and no candidates; the prompt is paid for. */
export function blockedResponse(order: TextOrder, call: Call): JsonObject {
  return {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT', safetyRatings: [] },
    usageMetadata: usageOf(order, { candidatesTokens: 0, thoughtsTokens: 0 }),
    modelVersion: order.model,
    responseId: call.requestId,
  };
}

export function tokensOf({ thought, content }: Candidate): Produced {
  const words = content.kind === 'text' ? content.text : JSON.stringify({ name: content.name, args: content.args });
  return { candidatesTokens: tokensIn(words), thoughtsTokens: tokensIn(thought) };
}

/** Counts that are nought are left out, as the vendor's serialiser does. */
function usageOf({ promptTokens }: TextOrder, { candidatesTokens, thoughtsTokens }: Produced): JsonObject {
  return {
    promptTokenCount: promptTokens.total,
    ...(candidatesTokens > 0 && { candidatesTokenCount: candidatesTokens }),
    totalTokenCount: promptTokens.total + candidatesTokens + thoughtsTokens,
    promptTokensDetails: promptTokens.details,
    ...(thoughtsTokens > 0 && { thoughtsTokenCount: thoughtsTokens }),
  };
}

const safetyRatings = [
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
].map((category) => ({ category, probability: 'NEGLIGIBLE' }));
