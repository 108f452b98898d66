import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalDetails, type RefusalName, type Reply, type Wire } from '../vendor-call/contract';
import { faultOfCredential, type KlingFault } from './credential';

/** Kling's manners: a bearer key or token, `{code,message,request_id}`, and an HTTP status that fits the code. */
export const klingWire: Wire = {
  name: 'kling',
  newRequestId: () => randomUUID(),
  checkKey(request, requestId) {
    const fault = faultOfCredential(request.get('authorization'), Date.now());
    if (fault) throw new Refusal(klingFault(401, fault, requestId));
  },
  replyHeaders: (requestId) => ({ 'x-request-id': requestId }),
  refuse,
  unknownPath: () => klingFault(404, { code: 1202, message: 'The request method is invalid' }, 'none'),
};

function klingFault(status: number, fault: KlingFault, requestId: string): Reply {
  return { status, body: { ...fault, request_id: requestId } };
}

export function klingSuccess(data: unknown, requestId: string): Reply {
  return { status: 200, body: { code: 0, message: 'SUCCEED', request_id: requestId, data } };
}

/** A 400 about one parameter. */
export function invalidParameter(message: string, requestId: string): Refusal {
  return new Refusal(klingFault(400, { code: 1201, message }, requestId));
}

export function notFound(message: string, requestId: string): Refusal {
  return new Refusal(klingFault(404, { code: 1203, message }, requestId));
}

export function concurrencyExceeded(requestId: string): Refusal {
  const message = 'parallel task over resource pack limit';
  return new Refusal(klingFault(429, { code: 1303, message }, requestId));
}

export const outputRefused = 'Failure to pass the risk control system';
export const internalFailure = 'Internal service error';

function refuse(name: RefusalName, { requestId, status, retryAfterMs }: RefusalDetails): Reply {
  const reply = (httpStatus: number, code: number, message: string) =>
    klingFault(httpStatus, { code, message }, requestId);
  switch (name) {
    case 'auth':
      return reply(401, 1002, 'Authorization is invalid');
    case 'rate-limit': {
      const limited = reply(429, 1302, 'The API request is too fast, exceeding the platform rate limit');
      // The vendor documents no such header: it is there only when a test asked for it.
      return retryAfterMs === undefined
        ? limited
        : { ...limited, headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } };
    }
    case 'quota':
      return reply(429, 1102, 'Resource pack depleted or expired');
    case 'balance':
      return reply(429, 1101, 'Account in arrears');
    case '5xx':
      return reply(status, status === 504 ? 5002 : 5000, internalFailure);
    case 'busy':
      return reply(503, 5001, 'Server temporarily unavailable, usually due to maintenance');
    case 'policy-submit':
      return reply(400, 1301, 'Trigger the content security policy');
  }
}
