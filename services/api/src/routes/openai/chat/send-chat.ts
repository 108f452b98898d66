import type { JsonObject, Message } from '@mediagate/contracts';
import type { Response } from 'express';
import { sendJson } from '../../../http/exchange';
import { wordsOf } from '../../acknowledge';
import { beginEvents, collectPiece, drained, readEvents, type SendAnswer } from '../../text/send-answer';
import { readPiece } from './chat-answer';

interface Completion {
  /** The model's id. */
  model: string;
  /** Tells at the end of a stream what was used. */
  includesUsage: boolean;
  /** Fields that were ignored. */
  warnings: readonly Message[];
}

/** Sends the whole answer as one chat completion. */
export function createSendCompletion({ model, warnings }: Completion): SendAnswer {
  return async (answer, { exchange, meter }) => {
    const { response } = exchange;
    const piece = await collectPiece(answer, { exchange, meter });
    if (response.destroyed) return;
    const { text, calls, finishReason, usage } = readPiece(piece);
    const message = {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      refusal: null,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    sendJson(response, 200, {
      ...headOf(response, 'chat.completion', model),
      choices: [{ index: 0, message, finish_reason: reasonOf(finishReason, calls.length > 0), logprobs: null }],
      ...(usage === undefined ? {} : { usage }),
      ...warned(warnings, response),
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
  readonly #includesUsage: boolean;
  readonly #warned: JsonObject;
  #begun = false;
  #calls = 0;
  #finishReason: string | undefined;
  #usage: JsonObject | undefined;

  constructor(response: Response, { model, includesUsage, warnings }: Completion) {
    this.#response = response;
    this.#head = headOf(response, 'chat.completion.chunk', model);
    this.#includesUsage = includesUsage;
    this.#warned = warned(warnings, response);
  }

  /** Resolves when the caller reads on; undefined: the caller has not stopped reading. */
  write(piece: JsonObject): Promise<void> | undefined {
    const { text, calls, finishReason, usage } = readPiece(piece);
    this.#finishReason = finishReason ?? this.#finishReason;
    this.#usage = usage ?? this.#usage;
    let events = '';
    if (!this.#begun) {
      beginEvents(this.#response);
      this.#begun = true;
      events += this.#delta({ role: 'assistant', content: '' }, null, this.#warned);
    }
    if (text !== '') events += this.#delta({ content: text });
    for (const call of calls) {
      events += this.#delta({ tool_calls: [{ index: this.#calls, ...call }] });
      this.#calls += 1;
    }
    if (events === '' || this.#response.write(events)) return undefined;
    return drained(this.#response);
  }

  end(): void {
    const reason = reasonOf(this.#finishReason, this.#calls > 0);
    const usage = this.#includesUsage && this.#usage ? this.#event({ choices: [], usage: this.#usage }) : '';
    this.#response.end(`${this.#delta({}, reason)}${usage}data: [DONE]\n\n`);
  }

  #delta(delta: JsonObject, reason: string | null = null, fields: JsonObject = {}): string {
    const choice = { index: 0, delta, finish_reason: reason, logprobs: null };
    return this.#event({ ...fields, choices: [choice], ...(this.#includesUsage ? { usage: null } : {}) });
  }

  #event(fields: JsonObject): string {
    return `data: ${JSON.stringify({ ...this.#head, ...fields })}\n\n`;
  }
}

/** A model that calls functions ends as one that has said all. */
function reasonOf(reason: string | undefined, calls: boolean): string {
  return calls && (reason ?? 'stop') === 'stop' ? 'tool_calls' : (reason ?? 'stop');
}

function warned(warnings: readonly Message[], response: Response): JsonObject {
  return warnings.length === 0 ? {} : { warnings: wordsOf(warnings, response) };
}

function headOf(response: Response, object: string, model: string): JsonObject {
  const taskId = String(response.getHeader('X-Task-Id') ?? '');
  return { id: `chatcmpl-${taskId.replace('task_', '')}`, object, created: Math.floor(Date.now() / 1000), model };
}
