import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalDetails, type RefusalName, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-openai-key';

/** OpenAI's manners: bearer key, `{error:{message,type,param,code}}`, request id and rate headers on every reply. */
export const openaiWire: Wire = {
  name: 'openai',
  newRequestId: () => `req_${randomUUID().replaceAll('-', '')}`,
  checkKey(request) {
    const authorization = request.get('authorization') ?? '';
    if (authorization === '') {
      const message =
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.";
      throw new Refusal(openaiError(401, { message, type: 'invalid_request_error', param: null, code: null }));
    }
    if (authorization !== `Bearer ${KEY}`) throw new Refusal(incorrectKey);
  },
  replyHeaders: (requestId, window) => ({
    'x-request-id': requestId,
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': String(window.limit),
    'x-ratelimit-remaining-requests': String(window.remaining),
    'x-ratelimit-reset-requests': `${Math.ceil(window.resetMs / 1_000)}s`,
  }),
  refuse,
  unknownPath: (method, path) =>
    openaiError(404, {
      message: `Invalid URL (${method} ${path.replace(/^\/openai/, '')})`,
      type: 'invalid_request_error',
      param: null,
      code: null,
    }),
};

export interface OpenaiFault {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

export function openaiError(status: number, error: OpenaiFault, headers: Record<string, string> = {}): Reply {
  return { status, body: { error }, headers };
}

/** A 400 about one parameter. */
export function invalidRequest(param: string | null, code: string | null, message: string): Refusal {
  return new Refusal(openaiError(400, { message, type: 'invalid_request_error', param, code }));
}

export function moderationBlocked(requestId: string): Reply {
  const message =
    'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com ' +
    `and include the request ID ${requestId}. safety_violations=[violence].`;
  return openaiError(400, { message, type: 'image_generation_user_error', param: null, code: 'moderation_blocked' });
}

const incorrectKey = openaiError(401, {
  message: 'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_api_key',
});

/** What the vendor says when nothing asked for a certain wait. */
const RETRY_AFTER_MS = 1_000;

function refuse(name: RefusalName, { requestId, status, retryAfterMs = RETRY_AFTER_MS }: RefusalDetails): Reply {
  switch (name) {
    case 'auth':
      return incorrectKey;
    case 'rate-limit':
      return openaiError(
        429,
        {
          message: `Rate limit reached for requests. Please try again in ${retryAfterMs / 1_000}s.`,
          type: 'requests',
          param: null,
          code: 'rate_limit_exceeded',
        },
        { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)), 'retry-after-ms': String(retryAfterMs) },
      );
    case 'quota':
      return openaiError(429, {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      });
    case 'balance':
      return openaiError(429, {
        message: 'Billing hard limit has been reached.',
        type: 'insufficient_quota',
        param: null,
        code: 'billing_hard_limit_reached',
      });
    case '5xx':
      return openaiError(status, {
        message: `The server had an error while processing your request. Sorry about that! (request id ${requestId})`,
        type: 'server_error',
        param: null,
        code: null,
      });
    case 'busy':
      return openaiError(503, {
        message: 'The engine is currently overloaded, please try again later.',
        type: 'server_error',
        param: null,
        code: 'server_overloaded',
      });
    case 'policy-submit':
      return moderationBlocked(requestId);
  }
}
