import type { JsonSchema } from '../operation';
import { anyObject, integer, listOf, object, ref, string, unixSeconds } from './build';

const image = {
  ...object({ 'url?': string('A link of the service; it expires.'), 'b64_json?': string('The file itself.') }),
  description: 'One of the two, as `response_format` says.',
};

/** What the operations under `/openai` answer. */
export const OPENAI_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  OpenAiImages: object({
    created: unixSeconds('When the task was submitted'),
    data: listOf(image),
    'usage?': object({
      input_tokens: integer(),
      output_tokens: integer(),
      total_tokens: integer(),
      'input_tokens_details?': anyObject(),
    }),
    'warnings?': listOf(string(), 'Fields that were ignored.'),
  }),
  OpenAiModel: object({
    id: string('An id or an alias of a model.'),
    object: { const: 'model' },
    created: integer('Always 0: models have no date here.'),
    owned_by: string(),
  }),
  OpenAiModels: object({ object: { const: 'list' }, data: listOf(ref('OpenAiModel')) }),
};
