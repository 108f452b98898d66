import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalDetails, type Reply, type Wire } from '../vendor-call/contract';

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
  words: {
    auth: () => incorrectKey,
    'rate-limit': rateLimited,
    concurrency: 'it counts requests, images and tokens a minute, never calls at once',
    quota: () =>
      withoutMoney(
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
      ),
    balance: () => withoutMoney('billing_hard_limit_reached', 'Billing hard limit has been reached.'),
    payment: 'an account without money is answered under 429, by `quota` and `balance`',
    'plan-window': 'its API is paid by use, not by a subscription',
    retired,
    'new-users': 'a model that is not open to an account is answered as one that does not exist',
    '5xx': ({ status, requestId }) =>
      serverError(
        status,
        `The server had an error while processing your request. Sorry about that! (request id ${requestId})`,
      ),
    busy: overloaded,
    'policy-submit': ({ requestId }) => moderationBlocked(requestId),
  },
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

/** The words in which it refuses to say or talk of something. */
export function contentBlocked(): Reply {
  const message = 'Your input was rejected as a result of our safety system.';
  return openaiError(400, { message, type: 'invalid_request_error', param: null, code: 'content_policy_violation' });
}

const incorrectKey = openaiError(401, {
  message: 'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_api_key',
});

/** The wait that the vendor names when nothing asked for a certain one. */
const RETRY_AFTER_MS = 1_000;

function rateLimited({ retryAfterMs = RETRY_AFTER_MS }: RefusalDetails): Reply {
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
}

function withoutMoney(code: string, message: string): Reply {
  return openaiError(429, { message, type: 'insufficient_quota', param: null, code });
}

/** As a shut-down model is answered in public reports of 2024 to 2026. */
function retired({ model }: RefusalDetails): Reply {
  const message = `The model \`${model}\` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations`;
  return openaiError(404, { message, type: 'invalid_request_error', param: null, code: 'model_not_found' });
}

function serverError(status: number, message: string, code: string | null = null): Reply {
  return openaiError(status, { message, type: 'server_error', param: null, code });
}

function overloaded(): Reply {
  return serverError(503, 'The engine is currently overloaded, please try again later.', 'server_overloaded');
}
