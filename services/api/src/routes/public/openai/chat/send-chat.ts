import type { JsonObject, Message } from '@mediagate/contracts';
import { chatSignature } from '@mediagate/upstreams';
import type { Response } from 'express';
import { beginStream } from '../../../../http/answers/event-comments';
import { sendJson } from '../../../../http/exchange';
import { wordsOf } from '../../acknowledge';
import { collectPiece, drained, readEvents, type SendAnswer } from '../../text/send-answer';
import { handedOut, type MadeCall, readPiece, type TextPiece, type TextUsage } from '../text-piece';

interface Completion {
  /** The model's id. */
  model: string;
  /** False: one call is handed out, whatever the vendor made of the wish. */
  parallelToolCalls: boolean;
  /** Calls are answered in the words that were there before tools. */
  isOlder: boolean;
  /** Tells at the end of a stream what was used. */
  includesUsage: boolean;
  /** Fields that were ignored. */
  warnings: readonly Message[];
}

/** Sends the whole answer as one chat completion. */
export function createSendCompletion(completion: Completion): SendAnswer {
  return async (answer, { exchange, meter }) => {
    const { response } = exchange;
    const piece = await collectPiece(answer, { exchange, meter });
    if (response.destroyed) return;
    const { text, signature, calls: made, finishReason, usage } = readPiece(piece);
    const calls = handedOut(made, completion.parallelToolCalls);
    const message = {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      refusal: null,
      ...chatSignature(signature),
      ...callFields(calls.map(toToolCall), completion),
    };
    const reason = reasonOf(finishReason, calls.length > 0, completion);
    sendJson(response, 200, {
      ...headOf(response, 'chat.completion', completion.model),
      choices: [{ index: 0, message, finish_reason: reason, logprobs: null }],
      ...(usage === undefined ? {} : { usage: toUsage(usage) }),
      ...warned(completion.warnings, response),
    });
  };
}

/** Sends each piece as soon as it has come, as a chunk of a chat completion. */
export function createSendChunks(completion: Completion): SendAnswer {
  return async (answer, { exchange: { response }, meter }) => {
    const chunks = new ChunkWriter(response, completion);
    await readEvents(answer, meter, (_event, piece) => chunks.write(piece));
    chunks.end();
  };
}

/** One stream of chunks: the first names the role and the fields that were ignored, the last but one says why it ends, the last what was used. */
class ChunkWriter {
  readonly #response: Response;
  readonly #head: JsonObject;
  readonly #completion: Completion;
  #begun = false;
  #calls = 0;
  #finishReason: string | undefined;
  #signature: string | undefined;
  #usage: TextUsage | undefined;

  constructor(response: Response, completion: Completion) {
    this.#response = response;
    this.#head = headOf(response, 'chat.completion.chunk', completion.model);
    this.#completion = completion;
  }

  /** Resolves when the caller reads on; undefined: the caller has not stopped reading. */
  write(piece: JsonObject): Promise<void> | undefined {
    const { text, signature, calls, finishReason, usage } = readPiece(piece);
    this.#finishReason = finishReason ?? this.#finishReason;
    this.#signature = signature ?? this.#signature;
    this.#usage = usage ?? this.#usage;
    let events = '';
    if (!this.#begun) {
      beginStream(this.#response);
      this.#begun = true;
      events += this.#delta(
        { role: 'assistant', content: '' },
        null,
        warned(this.#completion.warnings, this.#response),
      );
    }
    if (text !== '') events += this.#delta({ content: text });
    for (const call of handedOut(calls, this.#completion.parallelToolCalls, this.#calls)) {
      events += this.#delta(callFields([{ index: this.#calls, ...toToolCall(call) }], this.#completion));
      this.#calls += 1;
    }
    if (events === '' || this.#response.write(events)) return undefined;
    return drained(this.#response);
  }

  end(): void {
    const reason = reasonOf(this.#finishReason, this.#calls > 0, this.#completion);
    const { includesUsage } = this.#completion;
    const usage = includesUsage && this.#usage ? this.#event({ choices: [], usage: toUsage(this.#usage) }) : '';
    // A client joins the texts of several pieces, and a signature is no text: it goes out once.
    this.#response.end(`${this.#delta(chatSignature(this.#signature), reason)}${usage}data: [DONE]\n\n`);
  }

  #delta(delta: JsonObject, reason: string | null = null, fields: JsonObject = {}): string {
    const choice = { index: 0, delta, finish_reason: reason, logprobs: null };
    return this.#event({ ...fields, choices: [choice], ...(this.#completion.includesUsage ? { usage: null } : {}) });
  }

  #event(fields: JsonObject): string {
    return `data: ${JSON.stringify({ ...this.#head, ...fields })}\n\n`;
  }
}

type ToolCall = JsonObject & { function: JsonObject };

function toToolCall({ id, name, args, signature }: MadeCall): ToolCall {
  return { id, type: 'function', function: { name, arguments: args }, ...chatSignature(signature) };
}

function callFields(calls: readonly ToolCall[], { isOlder }: Completion): JsonObject {
  const [first] = calls;
  if (first === undefined) return {};
  return isOlder ? { function_call: first.function } : { tool_calls: [...calls] };
}

/** A model that calls functions ends as one that has said all. */
function reasonOf(reason: TextPiece['finishReason'], isCalling: boolean, { isOlder }: Completion): string {
  if (!isCalling || (reason ?? 'stop') !== 'stop') return reason ?? 'stop';
  return isOlder ? 'function_call' : 'tool_calls';
}

function toUsage({ prompt, cached, answer, thoughts }: TextUsage): JsonObject {
  return {
    prompt_tokens: prompt,
    completion_tokens: answer,
    total_tokens: prompt + answer,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: thoughts },
  };
}

function warned(warnings: readonly Message[], response: Response): JsonObject {
  return warnings.length === 0 ? {} : { warnings: wordsOf(warnings, response) };
}

function headOf(response: Response, object: string, model: string): JsonObject {
  const taskId = String(response.getHeader('X-Task-Id') ?? '');
  return { id: `chatcmpl-${taskId.replace('task_', '')}`, object, created: Math.floor(Date.now() / 1000), model };
}
