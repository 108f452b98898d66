import { TEXT_LISTS } from '@mediagate/catalog';
import type { JsonSchema } from '../operation';
import { anyObject, boolean, integer, listOf, number, object, oneOf, string } from './build';

/** Fields that clients send by themselves and that change nothing of an answer here. */
const withoutEffect = string('Changes nothing here.');

/** Shape of a function's parameters, or of an answer. */
const jsonSchema = anyObject('A JSON Schema.');

const text = string();
/** How closely an image is looked at. Clients send it with each; models here look at all alike. */
const imageDetail = withoutEffect;
const soundPart = object({ 'data?': string('Base64.'), 'format?': oneOf(['wav', 'mp3']) });

/** A part of a chat message, of any type. */
const chatPart = object({
  type: string(),
  'text?': text,
  'refusal?': text,
  'image_url?': object({ url: string('A data URL, an address, or the id of a file.'), 'detail?': imageDetail }),
  'input_audio?': soundPart,
  'file?': object({ 'file_data?': string('A data URL.'), 'filename?': withoutEffect }),
});

const sentBack = anyObject('Signature of thoughts, unchanged from an answer.');

const message = {
  ...object({
    role: oneOf(['system', 'developer', 'user', 'assistant', 'tool']),
    'content?': {
      type: ['string', 'array', 'null'],
      items: chatPart,
      maxItems: TEXT_LISTS.contentParts,
      description: 'A text, or parts: `text`, `image_url`, `input_audio`, `file`.',
    },
    'refusal?': { type: ['string', 'null'] },
    'tool_calls?': {
      ...listOf(
        object({
          id: string(),
          'index?': integer('Changes nothing here: pieces of a stream have it.'),
          'type?': string(),
          function: object({ name: string(), arguments: string('The text of a JSON object.') }),
          'extra_content?': sentBack,
        }),
        'What an earlier answer called.',
      ),
      maxItems: TEXT_LISTS.calls,
    },
    'tool_call_id?': string('Id of the call that a `tool` message answers.'),
    'extra_content?': sentBack,
  }),
  additionalProperties: true,
};

/** An item of a response's input, of any type. */
const inputItem = object({
  'type?': string('`message`, `function_call`, `function_call_output`, or `reasoning`, which is passed over.'),
  'id?': withoutEffect,
  'status?': withoutEffect,
  'role?': oneOf(['user', 'assistant', 'system', 'developer']),
  'content?': contentOf({
    'image_url?': string('An address, or a data URL.'),
    'detail?': imageDetail,
    'file_id?': string(),
    'file_data?': string('A data URL.'),
    'file_url?': string('Refused.'),
    'filename?': withoutEffect,
    'input_audio?': soundPart,
  }),
  'call_id?': string('Id of a call, on the call and on its output.'),
  'name?': string('Name of the function.'),
  'arguments?': string('The text of a JSON object.'),
  'output?': contentOf({}),
  'summary?': { description: 'Only of items of the type `reasoning`.' },
  'encrypted_content?': { description: 'Only of items of the type `reasoning`.' },
  'extra_content?': sentBack,
});

/** A text, or parts with these fields beside those of texts. */
function contentOf(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const part = object({ 'type?': string(), 'text?': text, 'refusal?': text, ...fields });
  return { type: ['string', 'array', 'null'], items: part };
}

const answerLength = (description: string) => ({ ...integer(description), minimum: -1, not: { const: 0 } });

/** Fields of a request that both text interfaces have. */
const textFields = {
  'temperature?': number(),
  'top_p?': number(),
  'parallel_tool_calls?': boolean('`false`: one call at a time.'),
  'max_cost?': {
    ...number('Currency units: refused with 402 if the answer can cost more.'),
    exclusiveMinimum: 0,
  },
  'metadata?': { type: 'object', additionalProperties: string(), description: 'Yours, as with every submission.' },
  'prompt_cache_key?': withoutEffect,
  'prompt_cache_retention?': withoutEffect,
  'safety_identifier?': withoutEffect,
  'service_tier?': withoutEffect,
  'user?': withoutEffect,
};

const described = {
  name: string(),
  'description?': string(),
  'parameters?': jsonSchema,
  'strict?': boolean('Changes nothing here: vendors keep to the parameters as far as their models do.'),
};
const functionName = { 'name?': string('Name of the function to be called.') };

/** @param within the field that describes the function; absent: the tool itself does. */
function toolFields(within?: string): Record<string, JsonSchema> {
  const inside = (fields: Record<string, JsonSchema>) => (within === undefined ? fields : { [within]: object(fields) });
  const type = { type: { const: 'function' } };
  return {
    'tools?': {
      ...listOf(object({ ...type, ...inside(described) }), 'Functions that the model may call.'),
      maxItems: TEXT_LISTS.tools,
    },
    'tool_choice?': {
      ...object({ 'type?': string(), ...inside(functionName) }),
      type: ['string', 'object'],
      description: '`none`, `auto`, `required`, or a function by its name.',
    },
  };
}

/** Fields of a wish for JSON by a schema. */
const namedSchema = {
  'name?': withoutEffect,
  'description?': withoutEffect,
  'strict?': boolean('Changes nothing here: answers keep to the schema.'),
  'schema?': jsonSchema,
};
const FORMATS = '`text`, `json_object`, or `json_schema` with a schema.';

const tokensOfThought = integer('Tokens of thought.');
const thinkingLevel = oneOf(['minimal', 'low', 'medium', 'high']);

/** Bodies of texts as OpenAI's clients send them. What they do not name is not read, at any depth. */
export const OPENAI_TEXT_REQUESTS = {
  chat: {
    ...object({
      model: string('A text model, by id or alias.'),
      messages: {
        ...listOf(message, 'The conversation so far, oldest first.'),
        minItems: 1,
        maxItems: TEXT_LISTS.turns,
      },
      'stream?': boolean('In pieces, as server-sent events.'),
      'stream_options?': object({
        'include_usage?': boolean('A last piece tells what was used.'),
        'include_obfuscation?': boolean('Changes nothing here.'),
      }),
      'max_completion_tokens?': answerLength('Most tokens of the answer, thoughts included; -1: no limit of yours.'),
      'max_tokens?': answerLength('Another name of `max_completion_tokens`.'),
      'top_k?': integer(),
      'seed?': integer(),
      'presence_penalty?': number(),
      'frequency_penalty?': number(),
      'stop?': { type: ['string', 'array'], items: string(), maxItems: TEXT_LISTS.stopSequences },
      'reasoning_effort?': oneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
      'extra_body?': object(
        {
          'google?': object({
            'thinking_config?': object({
              'thinking_budget?': tokensOfThought,
              'thinkingBudget?': tokensOfThought,
              'thinking_level?': thinkingLevel,
              'thinkingLevel?': thinkingLevel,
            }),
          }),
        },
        'As Gemini’s own chat interface has it.',
      ),
      'response_format?': object({ 'type?': string(FORMATS), 'json_schema?': object(namedSchema) }),
      'verbosity?': withoutEffect,
      ...toolFields('function'),
      ...textFields,
    }),
    additionalProperties: true,
  },
  response: {
    ...object({
      model: string('A text model, by id or alias.'),
      input: {
        type: ['string', 'array'],
        minLength: 1,
        minItems: 1,
        maxItems: TEXT_LISTS.turns,
        items: inputItem,
        description: 'A text, or items, oldest first: `message`, `function_call`, `function_call_output`.',
      },
      'instructions?': string('What instructs the model.'),
      'include?': { ...listOf(string()), description: 'Changes nothing here.' },
      'stream?': boolean('Whether the answer is a stream of events.'),
      'stream_options?': object({
        'include_usage?': boolean('Changes nothing here: the last event tells it always.'),
        'include_obfuscation?': boolean('Changes nothing here.'),
      }),
      'max_output_tokens?': { ...integer('Most tokens of the answer, thoughts included.'), minimum: 1 },
      'reasoning?': object({ 'effort?': string('`none` to `xhigh`.') }),
      'text?': object({
        'format?': object({ 'type?': string(FORMATS), ...namedSchema }),
        'verbosity?': withoutEffect,
      }),
      ...toolFields(),
      ...textFields,
    }),
    additionalProperties: true,
  },
} satisfies Record<string, JsonSchema>;
