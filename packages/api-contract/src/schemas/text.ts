import type { JsonSchema } from '../operation';
import { anyObject, integer, listOf, object, ref, string } from './build';

/** Whatever else the vendor says is passed on as it is. */
const open = (schema: JsonSchema): JsonSchema => ({ ...schema, additionalProperties: true });

const ratings = listOf(open(object({ 'category?': string(), 'probability?': string() })));

const candidate = open(
  object({
    'content?': open(object({ 'role?': string(), 'parts?': listOf(anyObject()) })),
    'finishReason?': string(),
    'index?': integer(),
    'safetyRatings?': ratings,
  }),
);

const usage = open(
  object({
    'promptTokenCount?': integer(),
    'candidatesTokenCount?': integer(),
    'totalTokenCount?': integer(),
    'thoughtsTokenCount?': integer(),
    'promptTokensDetails?': listOf(open(object({ 'modality?': string(), 'tokenCount?': integer() }))),
  }),
);

export const TEXT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  GeneratedText: {
    ...open(
      object({
        'candidates?': listOf(candidate),
        'promptFeedback?': open(object({ 'safetyRatings?': ratings })),
        'usageMetadata?': usage,
      }),
    ),
    description: 'What the model answers, in its vendor’s own words.',
  },
  TokenCount: open(object({ 'totalTokens?': integer() })),
  TextModel: object({
    name: string('`models/` and the model’s id.'),
    displayName: string(),
    version: string(),
    supportedGenerationMethods: listOf(string()),
  }),
  TextModels: object({ models: listOf(ref('TextModel')) }),
};
