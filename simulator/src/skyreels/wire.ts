import { randomUUID } from 'node:crypto';
import { type JsonObject, Refusal, type RefusalDetails, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-skyreels-key';

/** SkyReels' manners: the key is a field of the body, and `code` in the body is the verdict, mostly under HTTP 200. */
export const skyreelsWire: Wire = {
  name: 'skyreels',
  newRequestId: () => randomUUID().replaceAll('-', ''),
  // A submit carries its key in the body; a check carries none.
  checkKey: () => undefined,
  replyHeaders: () => ({}),
  words: {
    auth: ({ requestId }) => skyreelsFault(401, 'Invalid or missing api_key', requestId),
    'rate-limit': ({ requestId }) => skyreelsFault(429, 'The service is busy, please retry later', requestId),
    concurrency: ({ requestId }) => skyreelsFault(481, 'The concurrency limit of the account is exceeded', requestId),
    quota: noCredits,
    balance: noCredits,
    payment: 'its verdict is in the body, under 200, by `balance`',
    'plan-window': 'its credits have no windows; those that are used up are `quota`',
    // Its paths stand for its models: what is gone is not found by its framework.
    retired: () => ({ status: 404, body: { detail: 'Not Found' } }),
    'new-users': 'its paths are the same for every account',
    '5xx': ({ status, requestId }) => skyreelsFault(500, internalFault.msg, requestId, status),
    busy: ({ requestId }) => skyreelsFault(481, 'Too many requests at once, please retry later', requestId),
    'policy-submit': ({ requestId }) => skyreelsFault(contentPolicy.code, contentPolicy.msg, requestId),
  },
  unknownPath: () => ({ status: 404, body: { detail: 'Not Found' } }),
};

/** Takes the key out of a body, so that nothing keeps it; throws the vendor's refusal when it is missing or wrong. */
export function withoutKey({ api_key: key, ...body }: JsonObject, requestId: string): JsonObject {
  if (key === KEY) return body;
  throw new Refusal(skyreelsFault(401, 'Invalid or missing api_key', requestId));
}

function noCredits({ requestId }: RefusalDetails): Reply {
  return skyreelsFault(480, 'Insufficient credits', requestId);
}

function skyreelsFault(code: number, msg: string, traceId: string, status = 200): Reply {
  return { status, body: { task_id: '', msg, code, status: 'failed', data: null, trace_id: traceId } };
}

/** A field that is missing or wrong: the one verdict that is also the HTTP status. */
export function unprocessable(msg: string, traceId: string): Refusal {
  return new Refusal(skyreelsFault(422, msg, traceId, 422));
}

export const contentPolicy = { code: 482, msg: 'The content violates the usage policy' };
export const internalFault = { code: 500, msg: 'Internal server error' };
