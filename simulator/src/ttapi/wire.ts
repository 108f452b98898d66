import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalDetails, type RefusalName, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-ttapi-key';

/** TTAPI's manners: a key in a header of its own, and `status` SUCCESS or FAILED beside a fitting HTTP status. */
export const ttapiWire: Wire = {
  name: 'ttapi',
  newRequestId: () => randomUUID(),
  checkKey(request) {
    if (request.get('tt-api-key') !== KEY) throw new Refusal(failure(401, 'Invalid TT-API-KEY'));
  },
  replyHeaders: () => ({}),
  refuse,
  unknownPath: () => failure(404, 'Not Found'),
};

export function success(data: object): Reply {
  return { status: 200, body: { status: 'SUCCESS', message: 'success', data } };
}

function failure(status: number, message: string): Reply {
  return { status, body: { status: 'FAILED', message, data: null } };
}

/** A 400 about what was asked for. */
export function invalid(message: string): Refusal {
  return new Refusal(failure(400, message));
}

export const jobNotFound = () => new Refusal(failure(404, 'Job not found'));
export const tooManyJobs = () => new Refusal(failure(429, 'Too many concurrent tasks'));

export const policyMessage = 'The content was rejected by moderation';
export const faultMessage = 'Music generation failed, the quota has been refunded';

function refuse(name: RefusalName, { status, retryAfterMs }: RefusalDetails): Reply {
  switch (name) {
    case 'auth':
      return failure(401, 'Invalid TT-API-KEY');
    case 'rate-limit': {
      const limited = failure(429, 'Too many requests');
      // The vendor documents no such header: it is there only when a test asked for it.
      return retryAfterMs === undefined
        ? limited
        : { ...limited, headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } };
    }
    case 'quota':
    case 'balance':
      return failure(402, 'Insufficient quota');
    case '5xx':
      return failure(status, 'Internal Server Error');
    case 'busy':
      return failure(503, 'Service is busy, please try again later');
    case 'policy-submit':
      return failure(400, policyMessage);
  }
}
