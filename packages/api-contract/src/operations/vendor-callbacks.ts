import type { Operation } from '../operation';
import { json, object } from '../schemas/build';

/** Where upstreams report that a job has moved on. */
export const VENDOR_CALLBACK_OPERATIONS = {
  receiveVendorCallback: {
    method: 'post',
    auth: 'none',
    tag: 'Upstreams',
    path: '/v1/vendor-callbacks/{token}',
    summary: 'Report progress of a job',
    description:
      'For upstreams alone, who are given the path with a job. The body is not read: the upstream is asked about the job a little earlier, at most once in 5 seconds, and its answer to that is what counts.',
    answers: {
      200: { description: 'It was received.', content: json(object({ code: { const: 200 } }), { code: 200 }) },
    },
    refusals: [401],
  },
} satisfies Record<string, Operation>;
