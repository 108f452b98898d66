import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalDetails, type RefusalName, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-sunoapi-key';

/** sunoapi.org's manners: a bearer key, and `code` in the body as the verdict, under HTTP 200. */
export const sunoapiWire: Wire = {
  name: 'sunoapi',
  newRequestId: () => randomUUID(),
  checkKey(request) {
    if (request.get('authorization') !== `Bearer ${KEY}`) throw new Refusal(unauthorized);
  },
  replyHeaders: () => ({}),
  refuse,
  unknownPath: () => fault(404, 'Not Found', 404),
};

export function success(data: unknown): Reply {
  return { status: 200, body: { code: 200, msg: 'success', data } };
}

function fault(code: number, msg: string, status = 200): Reply {
  return { status, body: { code, msg, data: null } };
}

const unauthorized = fault(401, 'You do not have access permissions');

export const invalid = (msg: string) => new Refusal(fault(400, msg));
export const tooLong = (field: string) => new Refusal(fault(413, `${field} is too long`));
export const notFound = (msg: string) => new Refusal(fault(404, msg));
export const tooFrequent = () => new Refusal(fault(430, 'Your call frequency is too high. Please try again later.'));

function refuse(name: RefusalName, { status, retryAfterMs }: RefusalDetails): Reply {
  switch (name) {
    case 'auth':
      return unauthorized;
    case 'rate-limit': {
      const limited = fault(430, 'Your call frequency is too high. Please try again later.');
      // The vendor documents no such header: it is there only when a test asked for it.
      return retryAfterMs === undefined
        ? limited
        : { ...limited, headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } };
    }
    case 'quota':
    case 'balance':
      return fault(429, 'The current credits are insufficient. Please top up.');
    case '5xx':
      return fault(500, 'Server exception', status);
    case 'busy':
      return fault(455, 'The website is under maintenance');
    case 'policy-submit':
      return fault(400, 'Your prompt contains sensitive words');
  }
}
