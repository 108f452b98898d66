import { randomUUID } from 'node:crypto';
import {
  type JsonObject,
  Refusal,
  type RefusalDetails,
  type RefusalName,
  type Reply,
  type Wire,
} from '../vendor-call/contract';

const KEY = 'sim-skyreels-key';

/** SkyReels' manners: the key is a field of the body, and `code` in the body is the verdict, mostly under HTTP 200. */
export const skyreelsWire: Wire = {
  name: 'skyreels',
  newRequestId: () => randomUUID().replaceAll('-', ''),
  // A submit carries its key in the body; a check carries none.
  checkKey: () => undefined,
  replyHeaders: () => ({}),
  refuse,
  unknownPath: () => ({ status: 404, body: { detail: 'Not Found' } }),
};

/** Takes the key out of a body, so that nothing keeps it; throws the vendor's refusal when it is missing or wrong. */
export function withoutKey({ api_key: key, ...body }: JsonObject, requestId: string): JsonObject {
  if (key === KEY) return body;
  throw new Refusal(skyreelsFault(401, 'Invalid or missing api_key', requestId));
}

function skyreelsFault(code: number, msg: string, traceId: string, status = 200): Reply {
  return { status, body: { task_id: '', msg, code, status: 'failed', data: null, trace_id: traceId } };
}

/** A field that is missing or wrong: the one verdict that is also the HTTP status. */
export function unprocessable(msg: string, traceId: string): Refusal {
  return new Refusal(skyreelsFault(422, msg, traceId, 422));
}

export const concurrencyExceeded = (traceId: string) =>
  new Refusal(skyreelsFault(481, 'The concurrency limit of the account is exceeded', traceId));

export const contentPolicy = { code: 482, msg: 'The content violates the usage policy' };
export const internalFault = { code: 500, msg: 'Internal server error' };

function refuse(name: RefusalName, { requestId, status, retryAfterMs }: RefusalDetails): Reply {
  switch (name) {
    case 'auth':
      return skyreelsFault(401, 'Invalid or missing api_key', requestId);
    case 'rate-limit': {
      const reply = skyreelsFault(429, 'The service is busy, please retry later', requestId);
      // The vendor documents no such header: it is there only when a test asked for it.
      return retryAfterMs === undefined
        ? reply
        : { ...reply, headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } };
    }
    case 'quota':
    case 'balance':
      return skyreelsFault(480, 'Insufficient credits', requestId);
    case '5xx':
      return skyreelsFault(500, internalFault.msg, requestId, status);
    case 'busy':
      return skyreelsFault(481, 'Too many requests at once, please retry later', requestId);
    case 'policy-submit':
      return skyreelsFault(contentPolicy.code, contentPolicy.msg, requestId);
  }
}
