import { randomUUID } from 'node:crypto';
import {
  type JsonObject,
  Refusal,
  type RefusalDetails,
  type RefusalName,
  type Reply,
  type Wire,
} from '../vendor-call/contract';

const KEY = 'sim-mj-key';

/** What a submit may answer, mostly under HTTP 200. */
export const code = {
  accepted: 1,
  notFound: 3,
  invalid: 4,
  failure: 9,
  /** There is one already; or a window waits to be confirmed. */
  exists: 21,
  queued: 22,
  queueFull: 23,
  banned: 24,
} as const;

/** The proxy's manners: its own header or a bearer key, and `{code, description, result, properties}`. */
export const mjWire: Wire = {
  name: 'mj',
  newRequestId: () => randomUUID(),
  checkKey(request) {
    const own = request.get('mj-api-secret');
    if (own === KEY || (own === undefined && request.get('authorization') === `Bearer ${KEY}`)) return;
    throw new Refusal(unauthorized);
  },
  replyHeaders: () => ({}),
  refuse,
  unknownPath: () => ({ status: 404, body: { code: code.notFound, description: 'Not Found' } }),
};

/** The answer to a submit. */
export function submitReply(
  replyCode: number,
  description: string,
  {
    result = null,
    properties = {},
    status = 200,
  }: { result?: string | null; properties?: JsonObject; status?: number } = {},
): Reply {
  return { status, body: { code: replyCode, description, result, properties } };
}

/** Some answers are empty. */
export function emptyReply(status: number): Reply {
  return { status, body: { html: '' }, headers: { 'content-type': 'text/plain' } };
}

export function invalid(description: string): Refusal {
  return new Refusal(submitReply(code.invalid, description));
}

export function taskNotFound(): Refusal {
  return new Refusal(submitReply(code.notFound, 'The related task does not exist or has expired', { status: 404 }));
}

export function queueFull(): Refusal {
  return new Refusal(submitReply(code.queueFull, 'The queue is full, please try again later'));
}

export function banned(bannedWord: string, promptEn: string): Refusal {
  return new Refusal(bannedReply({ bannedWord, promptEn }));
}

function bannedReply(properties: JsonObject): Reply {
  return submitReply(code.banned, 'The prompt may contain sensitive words', { properties });
}

const unauthorized: Reply = { status: 401, body: { code: code.failure, description: 'Unauthorized' } };

function refuse(name: RefusalName, { status, retryAfterMs }: RefusalDetails): Reply {
  switch (name) {
    case 'auth':
      return unauthorized;
    case 'rate-limit': {
      const reply = submitReply(code.queueFull, 'Too many requests', { status: 429 });
      // The vendor sends no such header: it is there only when a test asked for it.
      return retryAfterMs === undefined
        ? reply
        : { ...reply, headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } };
    }
    case 'quota':
    case 'balance':
      // In the list of codes this is "not found", though nobody asked after a task.
      return submitReply(code.notFound, 'No available account instance');
    case '5xx':
      return submitReply(code.failure, 'Submit failed, please try again later', {
        status: status === 500 ? 200 : status,
      });
    case 'busy':
      return queueFull().reply;
    case 'policy-submit':
      return bannedReply({ bannedWord: 'forbidden', promptEn: 'forbidden' });
  }
}
