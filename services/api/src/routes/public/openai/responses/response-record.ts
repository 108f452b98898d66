import type { JsonObject, Message } from '@mediagate/contracts';
import { chatSignature } from '@mediagate/upstreams';
import type { Response } from 'express';
import { wordsOf } from '../../acknowledge';
import type { MadeCall, TextUsage } from '../text-piece';

export interface AskedResponse {
  /** The model's id. */
  model: string;
  /** The body as it was sent, without the fields that are null. */
  sent: JsonObject;
  /** Fields that were ignored. */
  warnings: readonly Message[];
  /** False: one call is handed out, whatever the vendor made of the wish. */
  parallelToolCalls: boolean;
}

/** How a response stands: before its end it has no reason. */
export interface ResponseState {
  output: readonly JsonObject[];
  finishReason?: string | undefined;
  usage?: TextUsage | undefined;
}

const INCOMPLETE: Readonly<Record<string, string>> = { length: 'max_output_tokens', content_filter: 'content_filter' };

/** Makes the record of a response, which repeats what was asked for. */
export function createResponseRecord(asked: AskedResponse, response: Response): (state: ResponseState) => JsonObject {
  const { sent, model, warnings, parallelToolCalls } = asked;
  const { instructions, max_output_tokens: most, temperature, top_p: topP, tools, tool_choice: choice } = sent;
  const { metadata, reasoning, text } = sent;
  const createdAt = Math.floor(Date.now() / 1000);
  return ({ output, finishReason, usage }) => {
    const reason = finishReason === undefined ? undefined : INCOMPLETE[finishReason];
    const ended = reason === undefined ? 'completed' : 'incomplete';
    return {
      id: `resp_${taskOf(response)}`,
      object: 'response',
      created_at: createdAt,
      status: finishReason === undefined ? 'in_progress' : ended,
      background: false,
      error: null,
      incomplete_details: reason === undefined ? null : { reason },
      instructions: instructions ?? null,
      max_output_tokens: most ?? null,
      metadata: metadata ?? {},
      model,
      output: [...output],
      parallel_tool_calls: parallelToolCalls,
      previous_response_id: null,
      reasoning: reasoning ?? { effort: null, summary: null },
      store: false,
      temperature: temperature ?? null,
      text: text ?? { format: { type: 'text' } },
      tool_choice: choice ?? 'auto',
      tools: tools ?? [],
      top_p: topP ?? null,
      truncation: 'disabled',
      usage: usage === undefined ? null : toUsage(usage),
      ...(warnings.length === 0 ? {} : { warnings: wordsOf(warnings, response) }),
    };
  };
}

function toUsage({ prompt, cached, answer, thoughts }: TextUsage): JsonObject {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: answer,
    output_tokens_details: { reasoning_tokens: thoughts },
    total_tokens: prompt + answer,
  };
}

/** @param place of the item in the output. */
export function messageItem(response: Response, place: number, text: string | undefined): JsonObject {
  const content = text === undefined ? [] : [textPart(text)];
  const status = text === undefined ? 'in_progress' : 'completed';
  return { id: `msg_${taskOf(response)}_${place}`, type: 'message', status, role: 'assistant', content };
}

export function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function callItem(response: Response, place: number, { id, name, args, signature }: MadeCall): JsonObject {
  return {
    id: `fc_${taskOf(response)}_${place}`,
    type: 'function_call',
    status: 'completed',
    call_id: id,
    name,
    arguments: args,
    ...chatSignature(signature),
  };
}

function taskOf(response: Response): string {
  return String(response.getHeader('X-Task-Id') ?? '').replace('task_', '');
}
