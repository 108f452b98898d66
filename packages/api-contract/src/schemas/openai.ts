import type { JsonSchema } from '../operation';
import { anyObject, anyWord, integer, listOf, object, ref, string, unixSeconds } from './build';
import { OPENAI_TEXT_REQUESTS } from './openai-texts';

const image = {
  ...object({ 'url?': string('A link of the service; it expires.'), 'b64_json?': string('The file itself.') }),
  description: 'One of the two, as `response_format` says.',
};

const signature = anyObject('Signature of the thoughts of some models: send it back with the next turn.');

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
  OpenAiChatRequest: OPENAI_TEXT_REQUESTS.chat,
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
  OpenAiResponseRequest: OPENAI_TEXT_REQUESTS.response,
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
