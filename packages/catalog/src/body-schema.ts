import type { JsonObject } from '@mediagate/contracts';
import type { InputSchema } from './parse-input';
import { SUBMISSION_FIELDS } from './submission-fields';

interface BodySchemaParts {
  /** The model's id, then its aliases. */
  names: readonly string[];
  input: InputSchema;
  unsupportedParameters: readonly string[];
}

/** The whole body as a caller sends it, for the API reference: the model's own fields between `model` and the common ones. */
export function bodySchema({ names, input, unsupportedParameters }: BodySchemaParts): JsonObject {
  const common = Object.entries(SUBMISSION_FIELDS).filter(([field]) => !unsupportedParameters.includes(field));
  return {
    type: 'object',
    required: ['model', ...(input.required ?? [])],
    properties: {
      model: { type: 'string', enum: [...names] },
      ...input.properties,
      ...Object.fromEntries(common),
    },
  };
}
