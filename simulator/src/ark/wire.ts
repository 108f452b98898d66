import { randomBytes } from 'node:crypto';
import type { ErrorObject } from 'ajv';
import { Refusal, type RefusalDetails, type Reply, type Wire } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { pathOf } from '../vendor-call/shape';

const KEY = 'sim-ark-key';

/** Ark's manners: bearer key, `{error:{code,message,param,type}}` whose message ends with the request id. */
export const arkWire: Wire = {
  name: 'ark',
  newRequestId: () => `021${randomBytes(24).toString('hex')}`,
  checkKey(request, requestId) {
    const authorization = request.get('authorization') ?? '';
    if (authorization !== `Bearer ${KEY}`) throw new Refusal(authenticationError(requestId));
  },
  replyHeaders: (requestId) => ({ 'x-request-id': requestId }),
  words: {
    auth: ({ requestId }) => authenticationError(requestId),
    'rate-limit': tooMany(
      'RateLimitExceeded.EndpointIPMExceeded',
      'The images per minute (IPM) limit of the endpoint was exceeded. Please try again later.',
    ),
    concurrency: tooMany(
      'RateLimitExceeded.EndpointRPMExceeded',
      'The number of running and queued tasks exceeds the limit of the account.',
    ),
    quota: tooMany(
      'QuotaExceeded',
      'Your account has used up the free quota of the model. Please activate the model service.',
    ),
    balance: ({ requestId }) =>
      arkError(403, {
        code: 'AccountOverdueError',
        message: withId('The request failed because your account has an overdue balance.', requestId),
        type: 'Forbidden',
      }),
    payment: 'an account that owes money is answered under 403, by `balance`',
    // As public clients quote it in 2026, with windows of five hours, a week and a month.
    'plan-window': tooMany(
      'AccountQuotaExceeded',
      'You have exceeded the 5-hour usage quota. It will reset at 2026-11-24 23:59:59 +0800 CST.',
    ),
    retired: ({ model, requestId }) => noModel(model, requestId),
    'new-users': ({ model, requestId }) =>
      arkError(404, {
        code: 'ModelNotOpen',
        message: withId(`Your account has not activated the model ${model}.`, requestId),
        type: 'NotFound',
      }),
    '5xx': ({ status, requestId }) =>
      arkError(status, {
        code: 'InternalServiceError',
        message: withId('The service encountered an unexpected internal error.', requestId),
      }),
    busy: tooMany(
      'ServerOverloaded',
      'The service is currently unable to handle additional requests due to server overload.',
    ),
    'policy-submit': ({ requestId }) =>
      arkError(400, {
        code: 'InputTextSensitiveContentDetected',
        message: withId('The request failed because the input text may contain sensitive information.', requestId),
      }),
  },
  callback: {
    address: (_request, body) => textOf(body['callback_url']),
    report: ({ id, model, outcome }) => ({ id, model, status: outcome === 'done' ? 'succeeded' : 'failed' }),
  },
  unknownPath: (method, path) =>
    arkError(404, {
      code: 'InvalidAction',
      message: `The path ${method} ${path.replace(/^\/ark/, '')} does not exist.`,
    }),
};

export interface ArkFault {
  code: string;
  message: string;
  param?: string;
  type?: string;
}

export function arkError(status: number, fault: ArkFault, headers: Record<string, string> = {}): Reply {
  const error = { param: '', type: status >= 500 ? 'InternalServerError' : 'BadRequest', ...fault };
  return { status, body: { error }, headers };
}

/** A 400 about one parameter, worded as Ark does. */
export function invalidParameter(param: string, reason: string, requestId: string): Refusal {
  const message = `The parameter \`${param}\` specified in the request is not valid: ${reason}. Request id: ${requestId}`;
  return new Refusal(arkError(400, { code: 'InvalidParameter', message, param }));
}

function missingParameter(param: string, requestId: string): Refusal {
  const message = `The request failed because it is missing \`${param}\` parameter. Request id: ${requestId}`;
  return new Refusal(arkError(400, { code: 'MissingParameter', message, param }));
}

/** The words of the review of results, inside a reply or as a whole one. */
export const outputBlocked: ArkFault = {
  code: 'OutputImageSensitiveContentDetected',
  message: 'The request failed because the output image may contain sensitive information.',
};

function authenticationError(requestId: string): Reply {
  const message = `The API key in the request is missing or invalid. Request id: ${requestId}`;
  return arkError(401, { code: 'AuthenticationError', message, type: 'Unauthorized' });
}

/** A refusal after which the account may come back. */
function tooMany(code: string, sentence: string): (details: RefusalDetails) => Reply {
  return ({ requestId }) => arkError(429, { code, message: withId(sentence, requestId), type: 'TooManyRequests' });
}

function withId(sentence: string, requestId: string): string {
  return `${sentence} Request id: ${requestId}`;
}

export function noModel(model: string, requestId: string): Reply {
  const message = `The model or endpoint ${model.slice(0, 100)} does not exist or you do not have access to it. Request id: ${requestId}`;
  return arkError(404, { code: 'InvalidEndpointOrModel.NotFound', message, type: 'NotFound' });
}

/** The refusal of a body's fault, which its check has found. */
export function bodyRefused(_sentence: string, requestId: string, error: ErrorObject): Refusal {
  const param = pathOf(error).join('.');
  if (error.keyword === 'required') return missingParameter(param, requestId);
  return invalidParameter(param, error.message ?? 'unexpected value', requestId);
}
