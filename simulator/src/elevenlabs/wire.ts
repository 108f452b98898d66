import { randomUUID } from 'node:crypto';
import { Refusal, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-elevenlabs-key';
/** The limit of the account's plan. */
const CONCURRENT_REQUESTS = 10;

/** ElevenLabs' manners: the key in `xi-api-key`, `{detail: {type, code, message, status}}`, and its id of the request in a header. */
export const elevenlabsWire: Wire = {
  name: 'elevenlabs',
  newRequestId: () => randomUUID().replaceAll('-', ''),
  checkKey(request) {
    const key = request.get('xi-api-key');
    if (key === KEY) return;
    throw new Refusal(key === undefined ? withoutKey : unknownKey);
  },
  replyHeaders: (requestId) => ({
    'request-id': requestId,
    'maximum-concurrent-requests': String(CONCURRENT_REQUESTS),
  }),
  words: {
    auth: () => unknownKey,
    'rate-limit': () =>
      fault(429, {
        type: 'rate_limit_error',
        code: 'rate_limit_exceeded',
        message: 'Too many requests. Wait before retrying.',
      }),
    concurrency: tooManyAtOnce,
    quota: () => creditsUsedUp,
    balance: () => tooFewCredits,
    payment: () => tooFewCredits,
    'plan-window': 'the credits of a month are one sum, by `quota`',
    retired: ({ model }) => withoutModel(model),
    'new-users': () =>
      fault(403, {
        type: 'authorization_error',
        code: 'model_access_denied',
        message: 'You do not have access to this model.',
      }),
    '5xx': ({ status }) =>
      fault(status, {
        type: 'internal_error',
        code: 'internal_error',
        message: 'An unexpected error occurred. Contact support if this persists.',
      }),
    busy: systemBusy,
    'policy-submit': () => contentBlocked,
  },
  unknownPath: () => ({ status: 404, body: { detail: 'Not Found' } }),
};

export interface Detail {
  type: string;
  code: string;
  message: string;
  /** The older word for the code, where there was one. */
  status?: string;
  param?: string;
  data?: Record<string, unknown>;
}

export function fault(status: number, detail: Detail, headers: Record<string, string> = {}): Reply {
  return { status, body: { detail: { ...detail, status: detail.status ?? detail.code } }, headers };
}

/** A 400 about one parameter. */
export function invalid(param: string, code: string, message: string): Refusal {
  return new Refusal(fault(400, { type: 'validation_error', code, message, param }));
}

export function notFound(code: string, message: string): Reply {
  return fault(404, { type: 'not_found', code, message });
}

/** A refusal of the vendor's older kind: without type and code. */
export const contentBlocked: Reply = {
  status: 403,
  body: {
    detail: {
      status: 'content_against_policy',
      message:
        'We are sorry but text you are trying to use may violate our Terms of Service and has been blocked. If you think that this is a mistake, please contact our support.',
    },
  },
};

const withoutKey = fault(401, {
  type: 'authentication_error',
  code: 'missing_api_key',
  status: 'needs_authorization',
  message: 'Neither authorization header nor xi-api-key received, please provide one.',
});
const unknownKey = fault(401, { type: 'authentication_error', code: 'invalid_api_key', message: 'Invalid API key' });

function tooManyAtOnce(): Reply {
  return fault(429, {
    type: 'rate_limit_error',
    code: 'concurrent_limit_exceeded',
    status: 'too_many_concurrent_requests',
    message: `Too many concurrent requests. Your current subscription is associated with a maximum of ${CONCURRENT_REQUESTS} concurrent requests (running in parallel).`,
  });
}

/** A refusal of the vendor's older kind, as `contentBlocked`. */
const creditsUsedUp: Reply = {
  status: 401,
  body: {
    detail: {
      status: 'quota_exceeded',
      message:
        'This request exceeds your quota of 10000. You have 0 credits remaining, while 91 credits are required for this request.',
    },
  },
};

const tooFewCredits = fault(402, {
  type: 'payment_required',
  code: 'insufficient_credits',
  message: 'Your account does not have enough credits for this operation.',
});

function systemBusy(): Reply {
  return fault(429, {
    type: 'rate_limit_error',
    code: 'system_busy',
    message: 'We are experiencing heavy traffic. Please try again later.',
  });
}

export function withoutModel(model: string): Reply {
  return notFound('model_not_found', `A model with model ID ${model} does not exist.`);
}
