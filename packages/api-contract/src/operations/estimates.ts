import type { Operation } from '../operation';
import { anyObject, json, object, ref, string } from '../schemas/build';
import { ESTIMATE_EXAMPLE } from '../schemas/estimate';
import { SUBMISSION_REFUSALS, SUBMIT } from './access';

export const ESTIMATE_OPERATIONS = {
  createEstimate: {
    ...SUBMIT,
    tag: 'Prices',
    scope: 'own',
    path: '/v1/estimate',
    summary: 'Estimate the cost of a submission',
    description:
      'Judged and priced by the code that books it, which makes nothing, books nothing and stores nothing. A wrong `body` is answered with just the error of `path`, in its words. Content is not reviewed.',
    otherErrors: ['imgtool', 'legacy', 'native', 'openai'],
    body: {
      content: json(
        object({
          path: string('Path of the submission, such as `/v1/images/generations`.'),
          body: anyObject('The body, as it would be sent there.'),
        }),
        { path: '/v1/images/generations', body: { model: 'imageseed-4.0', prompt: 'a lighthouse' } },
      ),
    },
    answers: { 200: { description: 'The price.', content: json(ref('EstimateAnswer'), ESTIMATE_EXAMPLE) } },
    refusals: SUBMISSION_REFUSALS,
  },
} satisfies Record<string, Operation>;
