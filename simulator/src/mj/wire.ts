import { randomUUID } from 'node:crypto';
import { type JsonObject, Refusal, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-mj-key';

/** Codes that answer a submit, mostly under HTTP 200. */
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
  words: {
    auth: () => unauthorized,
    'rate-limit': () => submitReply(code.queueFull, 'Too many requests', { status: 429 }),
    concurrency: queueFull,
    quota: () => submitReply(code.invalid, 'quota_not_enough', { status: 400 }),
    balance: noAccount,
    payment: 'its accounts are paid elsewhere: one that cannot work is missing, by `balance`',
    'plan-window': 'the hours of its accounts are told by no code of its own',
    retired: 'its versions are flags of the prompt, which are judged as the work begins',
    'new-users': 'its versions are open to every account',
    '5xx': ({ status }) =>
      submitReply(code.failure, 'Submit failed, please try again later', { status: status === 500 ? 200 : status }),
    busy: queueFull,
    'policy-submit': () => bannedReply({ bannedWord: 'forbidden', promptEn: 'forbidden' }),
  },
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

/** In the list of codes this is "not found", though nobody asked after a task. */
function noAccount(): Reply {
  return submitReply(code.notFound, 'No available account instance');
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

function queueFull(): Reply {
  return submitReply(code.queueFull, 'The queue is full, please try again later');
}

export function banned(bannedWord: string, promptEn: string): Refusal {
  return new Refusal(bannedReply({ bannedWord, promptEn }));
}

function bannedReply(properties: JsonObject): Reply {
  return submitReply(code.banned, 'The prompt may contain sensitive words', { properties });
}

const unauthorized: Reply = { status: 401, body: { code: code.failure, description: 'Unauthorized' } };
