import type { ErrorDialect } from '../error-dialect';
import { openAiErrors } from '../openai-images/errors';

/** The vendor says no to a chat as to images. Azure has a filter of its own, and words for a deployment that is not there. */
export const chatErrors: ErrorDialect = {
  ...openAiErrors,
  rules: [
    { code: /^content_filter$/, fault: 'content_policy' },
    { code: /^(DeploymentNotFound|401)$/, fault: 'operator' },
    { type: /^NotFoundError$/, fault: 'operator' },
    ...openAiErrors.rules,
  ],
  fields: {},
  own: ['model', 'stream', 'stream_options'],
};
