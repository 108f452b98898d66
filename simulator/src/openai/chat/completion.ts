import { randomUUID } from 'node:crypto';
import { type Candidate, writeCandidate } from '../../gemini/text/candidate';
import type { TextOrder } from '../../gemini/text/order';
import { cut } from '../../gemini/text/response';
import { tokensIn } from '../../gemini/text/tokens';
import type { JsonObject, StreamedReply } from '../../vendor-call/contract';

/** The content of a completion, with every choice. */
export interface Completion {
  order: TextOrder;
  candidates: Candidate[];
  /** Withheld by the vendor's filter. */
  filtered: boolean;
}

export function writeCompletion(order: TextOrder, filtered: boolean): Completion {
  const candidates = Array.from({ length: order.candidates }, (_, index) => writeCandidate(order, index));
  return { order, candidates, filtered };
}

/** The completion as one object. */
export function wholeCompletion(completion: Completion): JsonObject {
  return {
    ...headOf(completion, 'chat.completion'),
    choices: completion.candidates.map((candidate, index) => ({
      index,
      message: completion.filtered ? emptyMessage : messageOf(candidate),
      logprobs: null,
      finish_reason: finishOf(candidate, completion),
    })),
    usage: usageOf(completion),
  };
}

/** The completion as chunks, one choice after the other. */
export function streamedCompletion(completion: Completion, includesUsage: boolean): StreamedReply {
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  return { status: 200, headers, chunks: chunksOf(completion, includesUsage), spoiling };
}

async function* chunksOf(completion: Completion, includesUsage: boolean): AsyncGenerator<Buffer> {
  const head = headOf(completion, 'chat.completion.chunk');
  const chunk = (choices: JsonObject[], more: JsonObject = includesUsage ? { usage: null } : {}) =>
    event(JSON.stringify({ ...head, choices, ...more }));
  for (const [index, candidate] of completion.candidates.entries()) {
    const choice = (delta: JsonObject, finish: string | null = null) => [
      { index, delta, logprobs: null, finish_reason: finish },
    ];
    yield chunk(choice({ role: 'assistant', content: '', refusal: null }));
    if (!completion.filtered) for (const delta of deltasOf(candidate)) yield chunk(choice(delta));
    yield chunk(choice({}, finishOf(candidate, completion)));
  }
  if (includesUsage) yield chunk([], { usage: usageOf(completion) });
  yield event('[DONE]');
}

const emptyMessage = { role: 'assistant', content: '', refusal: null };

function messageOf({ content: reply }: Candidate): JsonObject {
  if (reply.kind === 'text') return { role: 'assistant', content: reply.text, refusal: null };
  return { role: 'assistant', content: null, refusal: null, tool_calls: [callOf(reply)] };
}

function callOf({ name, args }: { name: string; args: JsonObject }): JsonObject {
  return { id: newCallId(), type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** A call's name comes first, and its arguments in parts that are no JSON by themselves. */
function deltasOf({ content: reply }: Candidate): JsonObject[] {
  if (reply.kind === 'text') return cut(reply.text).map((content) => ({ content }));
  const { name, args } = reply;
  const first = { index: 0, id: newCallId(), type: 'function', function: { name, arguments: '' } };
  const rest = cut(JSON.stringify(args)).map((part) => ({ index: 0, function: { arguments: part } }));
  return [first, ...rest].map((call) => ({ tool_calls: [call] }));
}

function finishOf({ content: reply, finishReason }: Candidate, { filtered }: Completion): string {
  if (filtered) return 'content_filter';
  if (reply.kind === 'call') return 'tool_calls';
  return finishReason === 'MAX_TOKENS' ? 'length' : 'stop';
}

function usageOf({ order, candidates, filtered }: Completion): JsonObject {
  const prompt = order.promptTokens.total;
  const reply = filtered ? 0 : sum(candidates.map((each) => tokensIn(wordsOf(each))));
  const thought = filtered ? 0 : sum(candidates.map((each) => tokensIn(each.thought)));
  return {
    prompt_tokens: prompt,
    completion_tokens: reply + thought,
    total_tokens: prompt + reply + thought,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thought, audio_tokens: 0 },
  };
}

function wordsOf({ content: reply }: Candidate): string {
  return reply.kind === 'text' ? reply.text : JSON.stringify({ name: reply.name, args: reply.args });
}

function sum(counts: number[]): number {
  return counts.reduce((all, each) => all + each, 0);
}

function headOf({ order }: Completion, object: string): JsonObject {
  const id = `chatcmpl-${randomUUID().replaceAll('-', '').slice(0, 29)}`;
  return { id, object, created: Math.floor(Date.now() / 1_000), model: order.model, service_tier: 'default' };
}

const spoiling = event('{"choices":,"usage":[}{');

function event(data: string): Buffer {
  return Buffer.from(`data: ${data}\n\n`);
}
