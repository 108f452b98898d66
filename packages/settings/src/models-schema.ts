import { DESCRIBED_OPERATIONS } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import { integer, list, map, oneOf } from './schema-parts';

const MAX_MODELS = 200;
const MAX_EXAMPLES = 20;
/** A day: no task lives longer. */
const MAX_DEADLINE_MINUTES = 1440;
const MAX_LIFETIME_HOURS = 8760;

const PRICE_MESSAGE = 'must be a price in currency units: a plain decimal above 0 with at most 9 places, as 0.30';
const price = (description: string) => ({ type: 'number', description, typeMessage: PRICE_MESSAGE });
const fieldName = (description: string) => ({ type: 'string', description });

const PRICE = map('What it costs: one of per_task, per_image and per_second, in currency units.', {
  per_task: price('Of a task, whatever it asks for.'),
  per_image: price('Of an image: as many are reserved as asked for, and those settled that were made.'),
  count: fieldName('The field of the body that says how many images or videos. Default: one.'),
  per_second: price('Of a second of video.'),
  length: fieldName('The field of the body that says how many seconds.'),
  at_most: integer(
    { minimum: 1, maximum: 3600 },
    'Seconds that are reserved where the body leaves the length open; those are settled that were made.',
  ),
});

const MODEL = {
  ...map('A model that the catalogue does not have, served by channels with templates.', {
    id: {
      type: 'string',
      description: 'What callers call it.',
      pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
      errorMessage: 'must be lower-case letters, digits, ".", "_" and "-", at most 64',
    },
    operation: {
      type: 'string',
      description: 'Where it is submitted, and of which family it is.',
      ...oneOf(new Set(Object.keys(DESCRIBED_OPERATIONS)), 'no such operation'),
    },
    description: {
      type: 'string',
      description: 'A line of documentation.',
      minLength: 1,
      maxLength: 500,
      errorMessage: 'must be a line of 1 to 500 characters',
    },
    input: {
      type: 'object',
      description:
        'JSON Schema of the body, without `model` and the fields of every submission. `mediagate-media: image`, `video` or `audio` marks a text that names a file, `mediagate-max-bytes` how large it may be, `mediagate-unpriced` a count or length that changes no price.',
      additionalProperties: { $ref: '#/$defs/json' },
    },
    price: PRICE,
    moderate: {
      type: 'boolean',
      description: 'Texts and images are reviewed before a task is accepted.',
      default: false,
    },
    deadline_minutes: integer(
      { minimum: 1, maximum: MAX_DEADLINE_MINUTES, default: 30 },
      'A task that has not ended by then fails and is refunded.',
    ),
    result_lifetime_hours: integer({ minimum: 1, maximum: MAX_LIFETIME_HOURS, default: 24 }, 'Of what was made.'),
    examples: list(
      { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
      {
        description: 'Bodies without `model`, each of which must fit the input.',
        minItems: 1,
        maxItems: MAX_EXAMPLES,
        errorMessage: `must have 1 to ${MAX_EXAMPLES} bodies`,
      },
    ),
  }),
  required: ['id', 'operation', 'description', 'input', 'price', 'examples'],
};

/** The section `models`. */
export const MODELS: JsonObject = list(MODEL, {
  description: 'Models that the catalogue does not have.',
  maxItems: MAX_MODELS,
  errorMessage: `must have at most ${MAX_MODELS} models`,
  default: [],
});
