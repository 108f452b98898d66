import type { Call, JsonObject } from '../../vendor-call/contract';
import type { Candidate } from './candidate';
import type { TextOrder } from './order';
import { tokensIn } from './tokens';

/** A part of one candidate, as a stream sends it; the whole of it otherwise. */
interface Piece {
  index: number;
  parts: JsonObject[];
  /** In the last piece of a candidate. */
  finishReason?: string;
}

/** Tokens produced up to now, over all candidates. */
interface Produced {
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

/** The responses of a stream, one candidate after the other; each tells what was produced up to and with it. */
export function* streamedResponses(order: TextOrder, candidates: Candidate[], call: Call): Generator<JsonObject> {
  let before: Produced = { candidatesTokens: 0, thoughtsTokens: 0 };
  for (const [index, candidate] of candidates.entries()) {
    const whole = tokensOf(candidate);
    let sent = '';
    for (const piece of piecesOf(candidate, index, order.thinking.shown)) {
      sent += piece.parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
      const candidatesTokens = piece.finishReason ? whole.candidatesTokens : tokensIn(sent);
      const produced = sum(before, { candidatesTokens, thoughtsTokens: whole.thoughtsTokens });
      yield responseOf([piece], { order, call, produced });
    }
    before = sum(before, whole);
  }
}

/** A whole candidate as its only piece. */
export function wholePiece({ thought, content, finishReason }: Candidate, index: number, shown: boolean): Piece {
  const thinking = shown && thought !== '' ? [{ text: thought, thought: true }] : [];
  if (content.kind === 'call') return { index, parts: [...thinking, callPart(content)], finishReason };
  return { index, parts: [...thinking, ...(content.text === '' ? [] : [{ text: content.text }])], finishReason };
}

export function sum(one: Produced, other: Produced): Produced {
  return {
    candidatesTokens: one.candidatesTokens + other.candidatesTokens,
    thoughtsTokens: one.thoughtsTokens + other.thoughtsTokens,
  };
}

const LEAST_PIECES = 4;
const [LEAST_CHARS, MOST_CHARS] = [8, 160];

/** Thoughts come first, if they are to be shown; the last piece has the reason of the end. */
function piecesOf({ thought, content, finishReason }: Candidate, index: number, shown: boolean): Piece[] {
  const thinking: JsonObject[] = shown && thought !== '' ? [{ text: thought, thought: true }] : [];
  const saying: JsonObject[] =
    content.kind === 'call' ? [callPart(content)] : cut(content.text).map((text) => ({ text }));
  const parts = [...thinking, ...saying];
  if (parts.length === 0) return [{ index, parts, finishReason }];
  return parts.map((part, at) => ({ index, parts: [part], ...(at === parts.length - 1 && { finishReason }) }));
}

function callPart({ name, args, signature }: { name: string; args: JsonObject; signature?: string }): JsonObject {
  return { functionCall: { name, args }, ...(signature !== undefined && { thoughtSignature: signature }) };
}

/** Cuts a text for a stream, never inside of a character. */
export function cut(text: string): string[] {
  const chars = Math.min(MOST_CHARS, Math.max(LEAST_CHARS, Math.ceil(text.length / LEAST_PIECES)));
  return text.match(new RegExp(`.{1,${chars}}`, 'gsu')) ?? [];
}
