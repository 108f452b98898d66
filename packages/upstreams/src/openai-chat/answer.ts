import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import { type AnswerBytes, BrokenAnswerError } from '../answer-body';
import { createEventSplitter, MalformedAnswerError } from '../event-splitter';
import { count, list, object, text } from '../json-guards';
import { isWithin, parseAnswer } from '../parse-answer';
import { chatSignatureOf } from '../thought-signatures';

/** Bytes of one event: a chunk of a text, or a whole call of a function. */
const EVENT_MAX_BYTES = 4 * 1024 * 1024;
const DONE = '[DONE]';

/** Turns a whole completion into a whole answer, once all of it has come. */
export async function* completionToPiece(answer: AnswerBytes): AsyncGenerator<Buffer> {
  const completion = await answer.whole(() => undefined);
  yield Buffer.from(JSON.stringify(wholePiece(parse(completion.toString()))));
}

/** Turns each chunk of a completion into a piece as soon as it has come. */
export async function* chunksToPieces(answer: AnswerBytes): AsyncGenerator<Buffer> {
  const splitter = createEventSplitter(EVENT_MAX_BYTES);
  const pieces = new Pieces();
  const turn = (events: readonly Buffer[]) => events.map((event) => pieces.of(event.toString())).join('');
  for await (const chunk of answer) {
    const turned = turn(splitter.push(chunk));
    if (turned !== '') yield Buffer.from(turned);
  }
  const last = turn(splitter.end());
  if (!pieces.complete) throw new BrokenAnswerError('cut');
  if (last !== '') yield Buffer.from(last);
}

/** The parts of a stream's earlier chunks that the next piece needs. */
class Pieces {
  /** By choice and place: the arguments of a call come in parts, and are JSON only together. */
  readonly #calls = new Map<string, { index: number } & MadeCall>();
  /** The vendor has reported why it ends, or that it has. */
  complete = false;

  /** Events of pieces, or nothing. */
  of(data: string): string {
    if (data.trim() === DONE) {
      this.complete = true;
      return '';
    }
    const chunk = parse(data);
    const choices = (list(chunk['choices']) ?? []).map(object);
    const candidates = choices.map((choice) => this.#candidate(choice)).filter((each) => each !== undefined);
    const usage = usageOf(chunk['usage']);
    if (candidates.length === 0 && usage === undefined) return '';
    return `data: ${JSON.stringify(pieceOf(chunk, candidates, usage))}\n\n`;
  }

  #candidate(choice: JsonObject): JsonObject | undefined {
    const index = count(choice['index']) ?? 0;
    const delta = object(choice['delta']);
    for (const call of (list(delta['tool_calls']) ?? []).map(object)) this.#add(index, call);
    const finish = text(choice['finish_reason']);
    const parts = replyParts(delta);
    if (finish === undefined) return parts.length === 0 ? undefined : candidate(index, parts, undefined);
    this.complete = true;
    return candidate(index, [...parts, ...this.#takeCalls(index)], finish);
  }

  #add(index: number, call: JsonObject): void {
    const key = `${index} ${count(call['index']) ?? 0}`;
    const { name, arguments: args } = object(call['function']);
    const begun = this.#calls.get(key) ?? { index, id: undefined, name: '', args: '', signature: undefined };
    begun.id ??= text(call['id']);
    begun.signature ??= chatSignatureOf(call);
    begun.name += text(name) ?? '';
    begun.args += text(args) ?? '';
    if (begun.args.length > EVENT_MAX_BYTES) throw new MalformedAnswerError('a call of a function without an end');
    this.#calls.set(key, begun);
  }

  #takeCalls(index: number): JsonObject[] {
    const own = [...this.#calls].filter(([, call]) => call.index === index);
    for (const [key] of own) this.#calls.delete(key);
    return own.map(([, call]) => callPart(call));
  }
}

function wholePiece(completion: JsonObject): JsonObject {
  const choices = (list(completion['choices']) ?? []).map(object);
  const candidates = choices.map((choice, at) => {
    const message = object(choice['message']);
    const calls = (list(message['tool_calls']) ?? []).map(object).map((call) => {
      const { name, arguments: args } = object(call['function']);
      const [id, signature] = [text(call['id']), chatSignatureOf(call)];
      return callPart({ id, name: text(name) ?? '', args: text(args) ?? '', signature });
    });
    return candidate(count(choice['index']) ?? at, [...replyParts(message), ...calls], text(choice['finish_reason']));
  });
  return pieceOf(completion, candidates, usageOf(completion['usage']));
}

/** The text of a message or of a piece of one. A signature may come after the last word. */
function replyParts(message: JsonObject): JsonObject[] {
  const signature = chatSignatureOf(message);
  const reply = text(message['content']) ?? text(message['refusal']) ?? (signature === undefined ? undefined : '');
  return reply === undefined ? [] : [{ text: reply, ...signed(signature) }];
}

function pieceOf({ id }: JsonObject, candidates: JsonObject[], usage: JsonObject | undefined): JsonObject {
  return {
    ...(candidates.length === 0 ? {} : { candidates }),
    ...(typeof id === 'string' ? { responseId: id } : {}),
    ...(usage === undefined ? {} : { usageMetadata: usage }),
  };
}

function candidate(index: number, parts: JsonObject[], finish: string | undefined): JsonObject {
  const sound = parts.filter((part) => part !== MALFORMED_CALL);
  const reason = sound.length < parts.length ? 'malformed_call' : finish;
  return {
    index,
    content: { role: 'model', parts: sound },
    ...(reason === undefined ? {} : { finishReason: FINISH_REASONS[reason] ?? 'STOP' }),
  };
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  malformed_call: 'MALFORMED_FUNCTION_CALL',
};

/** Levels of the arguments of a call. Whoever sends a call back may nest it no deeper, and writing thousands of levels overflows the stack. */
const ARGUMENTS_MAX_DEPTH = 32;

/** Stands for a call whose arguments are no JSON object, or nested too deep. */
const MALFORMED_CALL: JsonObject = {};

interface MadeCall {
  id: string | undefined;
  name: string;
  args: string;
  signature: string | undefined;
}

function callPart({ id, name, args, signature }: MadeCall): JsonObject {
  const read = args.trim() === '' ? {} : parseAnswer(args);
  return isJsonObject(read) && isWithin(read, ARGUMENTS_MAX_DEPTH)
    ? { functionCall: { ...(id === undefined ? {} : { id }), name, args: read }, ...signed(signature) }
    : MALFORMED_CALL;
}

function signed(signature: string | undefined): JsonObject {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

/** Reasoning is output, reported apart from the answer's text. */
function usageOf(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const completion = count(value['completion_tokens']) ?? 0;
  const prompt = count(value['prompt_tokens']) ?? 0;
  const thoughts = Math.min(count(object(value['completion_tokens_details'])['reasoning_tokens']) ?? 0, completion);
  const cached = count(object(value['prompt_tokens_details'])['cached_tokens']);
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - thoughts,
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    totalTokenCount: count(value['total_tokens']) ?? prompt + completion,
  };
}

/** @throws MalformedAnswerError for what is no JSON object, and for an error in place of an answer. */
function parse(data: string): JsonObject {
  const value = parseAnswer(data);
  if (!isJsonObject(value)) throw new MalformedAnswerError('no JSON object');
  if (isJsonObject(value['error'])) throw new MalformedAnswerError('an error in place of an answer');
  return value;
}
