import type { JsonObject, ModelField } from '@mediagate/contracts';
import type { InputSchema } from './parse-input';
import { SUBMISSION_FIELDS } from './submission-fields';

interface BodySchemaParts {
  /** The model's id, then its aliases. */
  names: readonly string[];
  description?: string | undefined;
  modelField: ModelField;
  input: InputSchema;
  /** Fields of every submission that mean nothing here, or are refused. */
  withoutFields: readonly string[];
}

/** The whole body as a caller sends it, for the API reference: the model's own fields between `model` and the common ones. */
export function bodySchema({ names, description, modelField, input, withoutFields }: BodySchemaParts): JsonObject {
  const common = Object.entries(SUBMISSION_FIELDS).filter(
    ([field]) => !withoutFields.includes(field) && !Object.hasOwn(input.properties, field),
  );
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    required: [...(modelField === 'required' ? ['model'] : []), ...(input.required ?? [])],
    properties: {
      ...(modelField === 'implied' ? {} : { model: modelSchema(names, modelField) }),
      ...input.properties,
      ...Object.fromEntries(common),
    },
  };
}

function modelSchema(names: readonly string[], modelField: ModelField): JsonObject {
  const [id] = names;
  return {
    type: 'string',
    enum: [...names],
    ...(modelField === 'defaulted' && id !== undefined ? { default: id } : {}),
  };
}
