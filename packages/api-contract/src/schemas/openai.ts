import { TEXT_LISTS } from '@mediagate/catalog';
import type { JsonSchema } from '../operation';
import { anyObject, anyWord, boolean, integer, listOf, number, object, oneOf, ref, string, unixSeconds } from './build';

const image = {
  ...object({ 'url?': string('A link of the service; it expires.'), 'b64_json?': string('The file itself.') }),
  description: 'One of the two, as `response_format` says.',
};

const message = {
  type: 'object',
  required: ['role'],
  additionalProperties: true,
  properties: {
    role: oneOf(['system', 'developer', 'user', 'assistant', 'tool']),
    content: {
      type: ['string', 'array', 'null'],
      items: anyObject(),
      maxItems: TEXT_LISTS.contentParts,
      description: 'A text, or parts: `text`, `image_url`, `input_audio`, `file`.',
    },
    tool_calls: { ...listOf(anyObject(), 'What an earlier answer called.'), maxItems: TEXT_LISTS.calls },
    tool_call_id: string('Of the call that a `tool` message answers.'),
  },
};

const answerLength = (description: string) => ({ ...integer(description), minimum: -1, not: { const: 0 } });

const signature = anyObject('Of some models, the signature of their thoughts: to be sent back with the next turn.');

/** Fields of a request that both text interfaces have. */
const textFields = {
  'temperature?': number(),
  'top_p?': number(),
  'tools?': { ...listOf(anyObject(), 'Functions that the model may call.'), maxItems: TEXT_LISTS.tools },
  'parallel_tool_calls?': boolean('`false`: one call at a time.'),
  'tool_choice?': {
    type: ['string', 'object'],
    description: '`none`, `auto`, `required`, or a function by its name.',
  },
  'max_cost?': {
    ...number('Currency units: refused with 402 if the answer can cost more.'),
    exclusiveMinimum: 0,
  },
  'metadata?': { type: 'object', additionalProperties: string(), description: 'Yours, as with every submission.' },
};

/** Schemas of the answers under `/openai`. */
export const OPENAI_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  OpenAiImages: object({
    created: unixSeconds('When the task was submitted'),
    data: listOf(image),
    'usage?': object({
      input_tokens: integer(),
      output_tokens: integer(),
      total_tokens: integer(),
      input_tokens_details: object({ text_tokens: integer(), image_tokens: integer() }),
    }),
    'warnings?': listOf(string(), 'Fields that were ignored.'),
  }),
  OpenAiChatRequest: {
    ...object({
      model: string('A text model, by id or alias.'),
      messages: {
        ...listOf(message, 'The conversation so far, oldest first.'),
        minItems: 1,
        maxItems: TEXT_LISTS.turns,
      },
      'stream?': boolean('In pieces, as server-sent events.'),
      'stream_options?': object({ 'include_usage?': boolean('A last piece tells what was used.') }),
      'max_completion_tokens?': answerLength('Of the answer, thoughts included; -1: no limit of yours.'),
      'max_tokens?': answerLength('Another name of `max_completion_tokens`.'),
      'top_k?': integer(),
      'seed?': integer(),
      'presence_penalty?': number(),
      'frequency_penalty?': number(),
      'stop?': { type: ['string', 'array'], items: string(), maxItems: TEXT_LISTS.stopSequences },
      'reasoning_effort?': oneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
      'extra_body?': anyObject(
        '`google.thinking_config` with `thinking_budget` or `thinking_level`, as Gemini’s own chat interface has it.',
      ),
      'response_format?': anyObject('`text`, `json_object`, or `json_schema` with a schema.'),
      ...textFields,
    }),
    additionalProperties: true,
  },
  OpenAiCompletion: object({
    id: string(),
    object: { const: 'chat.completion' },
    created: unixSeconds('When it was made'),
    model: string('The model’s id.'),
    choices: listOf(
      object({
        index: integer(),
        message: object({
          role: { const: 'assistant' },
          content: { type: ['string', 'null'] },
          refusal: { type: 'null' },
          'tool_calls?': listOf(
            object({
              id: string(),
              type: { const: 'function' },
              function: object({ name: string(), arguments: string() }),
              'extra_content?': signature,
            }),
          ),
          'function_call?': object({ name: string(), arguments: string() }),
          'extra_content?': signature,
        }),
        finish_reason: anyWord(['stop', 'length', 'tool_calls', 'function_call', 'content_filter']),
        logprobs: { type: 'null' },
      }),
    ),
    'usage?': object({
      prompt_tokens: integer(),
      completion_tokens: integer(),
      total_tokens: integer(),
      prompt_tokens_details: object({ cached_tokens: integer() }),
      completion_tokens_details: object({ reasoning_tokens: integer() }),
    }),
    'warnings?': listOf(string(), 'Fields that were ignored.'),
  }),
  OpenAiResponseRequest: {
    ...object({
      model: string('A text model, by id or alias.'),
      input: {
        type: ['string', 'array'],
        minLength: 1,
        minItems: 1,
        maxItems: TEXT_LISTS.turns,
        items: anyObject(),
        description: 'A text, or items, oldest first: `message`, `function_call`, `function_call_output`.',
      },
      'instructions?': string('What instructs the model.'),
      'stream?': boolean('As events.'),
      'max_output_tokens?': { ...integer('Of the answer, thoughts included.'), minimum: 1 },
      'reasoning?': anyObject('`effort`: `none` to `xhigh`.'),
      'text?': anyObject('`format`: `text`, `json_object`, or `json_schema` with a schema.'),
      ...textFields,
    }),
    additionalProperties: true,
  },
  OpenAiResponse: {
    ...object({
      id: string(),
      object: { const: 'response' },
      created_at: unixSeconds('When it was made'),
      status: anyWord(['completed', 'incomplete']),
      incomplete_details: { type: ['object', 'null'] },
      model: string('The model’s id.'),
      output: listOf(anyObject(), 'Items: `message`, `function_call`.'),
      usage: { type: ['object', 'null'] },
      'warnings?': listOf(string(), 'Fields that were ignored.'),
    }),
    additionalProperties: true,
  },
  OpenAiModel: object({
    id: string('An id or an alias of a model.'),
    object: { const: 'model' },
    created: integer('Always 0: models have no date here.'),
    owned_by: string(),
  }),
  OpenAiModels: object({ object: { const: 'list' }, data: listOf(ref('OpenAiModel')) }),
};
