import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { type JsonObject, Refusal, type RefusalDetails, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-gemini-key';

/** Gemini's manners: key header, `google.rpc.Status` errors with typed details, blocked content under HTTP 200. */
export const geminiWire: Wire = {
  name: 'gemini',
  newRequestId: () => randomBytes(16).toString('base64url'),
  checkKey(request) {
    const key = request.get('x-goog-api-key') ?? request.query['key'];
    if (key === undefined) {
      const message =
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
      throw new Refusal(geminiError('PERMISSION_DENIED', message));
    }
    if (key !== KEY) throw new Refusal(invalidKey);
  },
  replyHeaders: () => ({ 'x-content-type-options': 'nosniff', vary: 'Origin, X-Origin, Referer' }),
  words: {
    auth: () => invalidKey,
    'rate-limit': rateLimited,
    concurrency: 'it counts requests and tokens, never calls at once',
    quota: () =>
      geminiError('RESOURCE_EXHAUSTED', quotaMessage, {
        details: [quotaFailure('GenerateRequestsPerDayPerProjectPerModel')],
      }),
    balance: () => geminiError('PERMISSION_DENIED', 'This API method requires billing to be enabled.'),
    payment: () => prepaidMoneyGone,
    'plan-window': 'the requests of a day are its only window, by `quota`',
    retired,
    'new-users': notForNewUsers,
    '5xx': ({ status }) => geminiError('INTERNAL', 'An internal error has occurred. Please retry.', { code: status }),
    busy: () => geminiError('UNAVAILABLE', 'The model is overloaded. Please try again later.'),
    'policy-submit': blockedPrompt,
  },
  // A stream that is no event stream is one array, and so is its refusal.
  frameRefusal: (reply, request) =>
    isArrayStream(request) && !('html' in reply.body) ? { ...reply, body: [reply.body].flat() } : reply,
  unknownPath: (method, path) =>
    geminiError('NOT_FOUND', `${method} ${path.replace(/^\/gemini/, '')} was not found on this server.`),
};

/** Whether the answer is to come as one JSON array, bit by bit. */
export function isArrayStream(request: Request): boolean {
  return request.path.endsWith(':streamGenerateContent') && request.query['alt'] !== 'sse';
}

const httpStatuses = {
  INVALID_ARGUMENT: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

type RpcStatus = keyof typeof httpStatuses;

export function geminiError(
  status: RpcStatus,
  message: string,
  { details, code = httpStatuses[status] }: { details?: JsonObject[]; code?: number } = {},
): Reply {
  return { status: code, body: { error: { code, message, status, ...(details && { details }) } } };
}

/** A 400; `field` is the path of the offending field, as the proto names it. */
export function invalidArgument(message: string, field?: string): Refusal {
  const violation = field && [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description: message }] },
  ];
  return new Refusal(geminiError('INVALID_ARGUMENT', message, violation ? { details: violation } : {}));
}

/** How the vendor refuses a prompt: HTTP 200, and no candidates. */
function blockedPrompt(): Reply {
  return {
    status: 200,
    body: {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT', safetyRatings: [] },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    },
  };
}

const invalidKey = geminiError('INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', {
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ],
});

/** The wait that the vendor names when nothing asked for a certain one. */
const RETRY_DELAY_MS = 1_000;
const quotaMessage = 'You exceeded your current quota, please check your plan and billing details.';

function rateLimited({ retryAfterMs = RETRY_DELAY_MS }: RefusalDetails): Reply {
  const retryDelay = `${retryAfterMs / 1_000}s`;
  return geminiError('RESOURCE_EXHAUSTED', `${quotaMessage}\nPlease retry in ${retryDelay}.`, {
    details: [
      quotaFailure('GenerateRequestsPerMinutePerProjectPerModel'),
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  });
}

function quotaFailure(quotaId: string): JsonObject {
  const violation = { quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests', quotaId };
  return { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] };
}

/** Announced in 2026 (https://discuss.ai.google.dev/t/183654); it was 429 before. */
const prepaidMoneyGone = geminiError(
  'RESOURCE_EXHAUSTED',
  'Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.',
  { code: 402 },
);

/** As public reports of July and August 2026 quote it (ecwilsonaz/mediasage#26, sohzm/cheating-daddy#444). */
function notForNewUsers({ model }: RefusalDetails): Reply {
  const message = `This model models/${model} is no longer available to new users. Please update your code to use a newer model for the latest features and improvements.`;
  return geminiError('NOT_FOUND', message);
}

function retired({ model }: RefusalDetails): Reply {
  const message = `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`;
  return geminiError('NOT_FOUND', message);
}
