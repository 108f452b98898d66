import type { Answer, JsonSchema, Operation, Refusal } from '../operation';
import { events, json, listOf, ref, wrapped } from '../schemas/build';
import { DRY_RUN, IDEMPOTENCY, MAX_COST, METADATA, QUERY, STRICT, SUBMISSION_REFUSALS, SUBMIT } from './access';

const native = { tag: 'Text', scope: 'own', errors: 'native', family: 'text', keyHeader: 'x-goog-api-key' } as const;
/** The path names the model. */
const body = {
  models: 'text.generate',
  withoutFields: ['model', 'webhook', 'language', 'metadata', 'max_cost', 'expires_in'],
};

/** Images may have expired, or not be made yet. */
const REFUSALS: readonly Refusal[] = [...SUBMISSION_REFUSALS, 410, 504];

const generate = {
  ...SUBMIT,
  ...native,
  summary: 'Generate a text',
  description:
    'The whole answer at once. The body is passed on as it is, to the byte. Models of images answer, too, with the image that they made.',
  parameters: [IDEMPOTENCY, STRICT, METADATA, MAX_COST, DRY_RUN],
  body,
  refusals: REFUSALS,
};
const stream = {
  ...generate,
  summary: 'Stream a text',
  description:
    'The answer comes as events with `alt=sse`, else as the elements of one JSON array; each piece has the shape of the whole answer.',
  parameters: [
    ...generate.parameters,
    { in: 'query', name: 'alt', description: '`sse`: as events.', schema: { type: 'string' } },
  ],
} as const;
const count = {
  ...SUBMIT,
  ...native,
  bucket: 'query',
  summary: 'Count the tokens of a prompt',
  description: 'Free.',
  body,
  refusals: [403, 404, 502],
} as const;
const list = {
  ...QUERY,
  ...native,
  summary: 'List the models of texts and images',
  answers: { 200: { description: 'The models.', content: json(ref('TextModels')) } },
  refusals: [403],
} as const;
const get = {
  ...QUERY,
  ...native,
  summary: 'Read a model of texts or images',
  answers: { 200: { description: 'The model.', content: json(ref('TextModel')) } },
  refusals: [403, 404],
} as const;

function answer(
  content: Answer['content'],
  headers: readonly string[] = ['X-Task-Id', 'AI-Disclosure'],
): Record<200, Answer> {
  return { 200: { description: 'The answer.', ...(content && { content }), headers } };
}

function pieces(piece: JsonSchema): Answer['content'] {
  return {
    ...json({ anyOf: [listOf(piece), ref('EstimateAnswer')] }),
    ...events('Each event’s data is one piece, as JSON.'),
  };
}

const text = ref('GeneratedText');
const tokens = ref('TokenCount');
const orPrice = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, ref('EstimateAnswer')] });
const plainText = { answers: answer(json(orPrice(text))) };
const plainPieces = { answers: answer(pieces(text)) };
const plainCount = { answers: answer(json(tokens), []) };

/**
 * The native text endpoint; under `/gemini` without the wrapper, so that the vendor's own client works. Older releases of it
 * take the first version where nobody chooses one, newer ones the second.
 */
export const TEXT_OPERATIONS = {
  generateText: {
    ...generate,
    path: '/v1beta/models/{model}:generateContent',
    answers: answer(json(orPrice(wrapped(text)))),
  },
  streamText: {
    ...stream,
    path: '/v1beta/models/{model}:streamGenerateContent',
    answers: answer(pieces(wrapped(text))),
  },
  countTokens: { ...count, path: '/v1beta/models/{model}:countTokens', answers: answer(json(wrapped(tokens)), []) },
  generatePlainText: { ...generate, ...plainText, path: '/gemini/v1beta/models/{model}:generateContent' },
  streamPlainText: { ...stream, ...plainPieces, path: '/gemini/v1beta/models/{model}:streamGenerateContent' },
  countPlainTokens: { ...count, ...plainCount, path: '/gemini/v1beta/models/{model}:countTokens' },
  listTextModels: { ...list, path: '/gemini/v1beta/models' },
  getTextModel: { ...get, path: '/gemini/v1beta/models/{model}' },
  generatePlainTextV1: { ...generate, ...plainText, path: '/gemini/v1/models/{model}:generateContent' },
  streamPlainTextV1: { ...stream, ...plainPieces, path: '/gemini/v1/models/{model}:streamGenerateContent' },
  countPlainTokensV1: { ...count, ...plainCount, path: '/gemini/v1/models/{model}:countTokens' },
  listTextModelsV1: { ...list, path: '/gemini/v1/models' },
  getTextModelV1: { ...get, path: '/gemini/v1/models/{model}' },
} satisfies Record<string, Operation>;
