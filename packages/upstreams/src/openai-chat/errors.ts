import type { ErrorDialect } from '../error-dialect';
import { openAiErrors } from '../openai-images/errors';

/** The vendor says no to a chat as to images. Azure has a filter of its own, and words for a deployment that is not there. */
export const chatErrors: ErrorDialect = {
  ...openAiErrors,
  rules: [
    { code: /^content_filter$/, fault: 'content_policy' },
    { code: /^401$/, fault: 'operator' },
    { code: /^DeploymentNotFound$/, fault: 'operator', ofModel: true },
    { type: /^NotFoundError$/, fault: 'operator', ofModel: true },
    ...openAiErrors.rules,
  ],
  fields: {},
  own: ['model', 'stream', 'stream_options'],
};
