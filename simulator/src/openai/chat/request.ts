import type { ErrorObject } from 'ajv';
import { type JsonObject, Refusal } from '../../vendor-call/contract';
import { closedObject, compileShape, type Of, pathOf } from '../../vendor-call/shape';
import { invalidRequest, openaiError } from '../wire';

const text = { type: 'string' } as const;
const number = { type: ['number', 'null'] } as const;
const integer = { type: ['integer', 'null'] } as const;
const atLeastOne = { ...integer, minimum: 1 };
const boolean = { type: ['boolean', 'null'] } as const;
const anyObject = { type: 'object' } as const;

const part = closedObject(
  {
    type: { enum: ['text', 'image_url', 'input_audio', 'refusal'] },
    text,
    refusal: text,
    image_url: closedObject({ url: { type: 'string', pattern: '^(?:https?:|data:image/)' }, detail: text }, ['url']),
    input_audio: closedObject({ data: text, format: { enum: ['wav', 'mp3'] } }, ['data', 'format']),
  },
  ['type'],
);
const call = closedObject(
  {
    id: text,
    type: { const: 'function' },
    function: closedObject({ name: text, arguments: text }, ['name', 'arguments']),
  },
  ['id', 'type', 'function'],
);
const message = closedObject(
  {
    role: { enum: ['system', 'developer', 'user', 'assistant', 'tool'] },
    content: { type: ['string', 'array', 'null'], items: part },
    name: text,
    refusal: { type: ['string', 'null'] },
    tool_calls: { type: 'array', minItems: 1, items: call },
    tool_call_id: text,
  },
  ['role'],
);
const declared = closedObject({ name: text, description: text, parameters: anyObject, strict: boolean }, ['name']);
const tool = closedObject({ type: { const: 'function' }, function: declared }, ['type', 'function']);

const choice = closedObject({ type: { const: 'function' }, function: closedObject({ name: text }, ['name']) }, [
  'type',
  'function',
]);

const body = closedObject(
  {
    model: text,
    messages: { type: 'array', minItems: 1, items: message },
    stream: boolean,
    stream_options: { ...closedObject({ include_usage: { type: 'boolean' } }), type: ['object', 'null'] },
    n: { ...atLeastOne, maximum: 8 },
    max_tokens: atLeastOne,
    max_completion_tokens: atLeastOne,
    temperature: { ...number, minimum: 0, maximum: 2 },
    top_p: { ...number, minimum: 0, maximum: 1 },
    presence_penalty: number,
    frequency_penalty: number,
    seed: integer,
    stop: { type: ['string', 'array', 'null'], maxItems: 4, items: text },
    response_format: closedObject(
      {
        type: { enum: ['text', 'json_object', 'json_schema'] },
        json_schema: closedObject({ name: text, schema: anyObject, strict: boolean }, ['name']),
      },
      ['type'],
    ),
    reasoning_effort: { enum: ['none', 'minimal', 'low', 'medium', 'high', null] },
    tools: { type: 'array', minItems: 1, maxItems: 128, items: tool },
    tool_choice: { ...choice, type: ['string', 'object'] },
    user: text,
  },
  ['model', 'messages'],
);

const checkShape = compileShape(body);

export type ChatBody = Of<typeof body>;
export type ChatMessage = Of<typeof message>;
export type ContentPart = Of<typeof part>;
export type ToolCall = Of<typeof call>;
export type ChatTool = Of<typeof tool>;

/** Names of models, and whether they think before they speak. */
const THINKS = new Map([
  ['gpt-4.1', false],
  ['gpt-4.1-mini', false],
  ['gpt-5.2', true],
]);

export function chatModelNames(): string[] {
  return [...THINKS.keys()];
}

/** A checked order of a completion; throws the vendor's refusal of the first fault. */
export function checkChatRequest(sent: JsonObject): ChatBody & { thinks: boolean } {
  const shape = checkShape(sent);
  if (!shape.ok) throw shapeRefusal(shape.error);
  const order = shape.value;
  const thinks = THINKS.get(order.model);
  if (thinks === undefined) throw unknownModel(order.model);
  if (thinks && order.max_tokens != null) {
    const advice =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    throw invalidRequest('max_tokens', 'unsupported_parameter', advice);
  }
  if (order.stream_options && !order.stream) {
    const advice = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    throw invalidRequest('stream_options', null, advice);
  }
  checkCalls(order.messages);
  return { ...order, thinks };
}

/** Every call is answered, straight after it, and nothing else is. */
function checkCalls(messages: ChatMessage[]): void {
  let open = new Set<string>();
  for (const [index, { role, tool_calls: calls = [], tool_call_id: id = '' }] of messages.entries()) {
    if (role === 'tool') {
      if (open.delete(id)) continue;
      const why =
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      throw invalidRequest(`messages.[${index}].role`, null, why);
    }
    if (open.size > 0) {
      const ids = [...open].join(', ');
      const why = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`;
      throw invalidRequest(`messages.[${index}].role`, null, why);
    }
    open = new Set(calls.map((each) => each.id));
  }
}

function unknownModel(name: string): Refusal {
  return new Refusal(
    openaiError(404, {
      message: `The model \`${name.slice(0, 100)}\` does not exist or you do not have access to it.`,
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    }),
  );
}

function shapeRefusal(error: ErrorObject): Refusal {
  const path = pathOf(error).join('.');
  switch (error.keyword) {
    case 'additionalProperties':
      return invalidRequest(null, null, `Unrecognized request argument supplied: ${path}`);
    case 'required':
      return invalidRequest(path, 'missing_required_parameter', `Missing required parameter: '${path}'.`);
    default:
      return invalidRequest(path, 'invalid_value', `Invalid value for '${path}': ${error.message ?? 'unexpected'}.`);
  }
}
