import type { ErrorDialect, VendorError } from '../error-dialect';
import { present } from '../json-guards';
import { openAiErrors } from '../openai-images/errors';

/** The vendor says no to speech as to images, but for the field at fault, which it often names only in what it found. */
export const speechErrors: ErrorDialect = {
  ...openAiErrors,
  read(body, status) {
    const error = openAiErrors.read(body, status);
    return error && present<VendorError>({ ...error, param: error.param ?? foundIn(error.message) });
  },
  fields: {
    input: 'input',
    voice: 'voice',
    response_format: 'response_format',
    speed: 'speed',
    instructions: 'instructions',
  },
  own: ['model'],
};

/** `[{'type': 'enum', 'loc': ('body', 'voice'), 'msg': …}]`, a validator's findings as Python prints them. */
function foundIn(message: string | undefined): string | undefined {
  return /'loc': \('body', '(\w+)'/.exec(message ?? '')?.[1];
}
