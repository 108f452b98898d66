import { FAMILIES, TASK_KINDS } from '@mediagate/contracts';
import type { Operation } from '../operation';
import { anyObject, anyWord, boolean, json, listOf, number, object, ref, string, wrapped } from '../schemas/build';
import { QUERY } from './access';

const summary = {
  id: string(),
  aliases: listOf(string()),
  family: anyWord(FAMILIES),
  kind: anyWord(TASK_KINDS),
  operation: string('What it is offered for: `images.generations`, `music.extend`, …'),
  available: boolean('This service offers it now.'),
  prices: {
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'Currency units by unit or billing key.',
  },
  result_lifetime_hours: number(),
  unsupported_parameters: listOf(string()),
};
const described = { ...summary, schema: anyObject('JSON Schema of the body.'), examples: listOf(anyObject()) };

export const MODEL_SCHEMAS = {
  Model: object(summary),
  DescribedModel: object({
    ...described,
    'operations?': listOf(object(described), 'All of them, where it has several; at the top stands the first.'),
  }),
};

const models = { ...QUERY, tag: 'Models', scope: 'own' } as const;

export const MODEL_OPERATIONS = {
  listModels: {
    ...models,
    path: '/models',
    summary: 'List the models',
    answers: { 200: { description: 'The models.', content: json(wrapped(listOf(ref('Model')))) } },
  },
  getModel: {
    ...models,
    path: '/models/{model}',
    summary: 'Read a model and its request schema',
    answers: { 200: { description: 'The model.', content: json(wrapped(ref('DescribedModel'))) } },
    refusals: [404],
  },
} satisfies Record<string, Operation>;
