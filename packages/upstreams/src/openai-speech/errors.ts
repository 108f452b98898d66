import type { ErrorDialect } from '../error-dialect';
import { openAiErrors } from '../openai-images/errors';

/** The vendor says no in the same way everywhere; only the fields are those of speech. */
export const speechErrors: ErrorDialect = {
  ...openAiErrors,
  fields: {
    input: 'input',
    voice: 'voice',
    response_format: 'response_format',
    speed: 'speed',
    instructions: 'instructions',
  },
};
