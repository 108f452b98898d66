import type { ErrorDialect, VendorError } from '../error-dialect';
import { fieldNamedIn } from '../error-dialect';
import { count, object, present, text } from '../json-guards';

const FIELDS = {
  prompt: 'prompt',
  duration: 'duration',
  resolution: 'resolution',
  aspect_ratio: 'aspect_ratio',
  first_frame_image: 'first_frame_image',
  end_frame_image: 'end_frame_image',
  mid_frame_images: 'mid_frame_images',
  ref_images: 'ref_images',
  ref_videos: 'ref_videos',
  prompt_optimizer: 'prompt_optimizer',
};

/** `{code, msg, trace_id}`; 200 is success, whatever the HTTP status. */
export const skyReelsErrors: ErrorDialect = {
  read: readError,
  rules: [
    { code: /^482$/, fault: 'content_policy' },
    { code: /^(429|481)$/, fault: 'rate_limited' },
    { code: /^(401|480)$/, fault: 'operator' },
    { code: /^(400|422)$/, fault: 'bad_request' },
    { code: /^500$/, fault: 'upstream_fault' },
  ],
  fields: FIELDS,
  own: ['api_key', 'mode'],
  requestIdOf: (body) => text(object(body)['trace_id']),
};

/** About the call: key, pace, credits, calls at once. They never are a job's own. */
const OF_CALLS = /^(401|429|480|481)$/;

/** In an answer about a job any other code may be the job's own, beside its status; only without one is the question refused. */
export const skyReelsQueryErrors: ErrorDialect = {
  ...skyReelsErrors,
  read(body) {
    const error = readError(body);
    const isOfCall = text(object(body)['status']) === undefined || OF_CALLS.test(error?.code ?? '');
    return isOfCall ? error : undefined;
  },
};

function readError(body: unknown): VendorError | undefined {
  const { code: figure, msg } = object(body);
  const code = count(figure);
  if (code === undefined || code === 0 || code === 200) return undefined;
  const reported = text(msg);
  return present<VendorError>({ code: String(code), message: reported, param: fieldNamedIn(reported, FIELDS) });
}
