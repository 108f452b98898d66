import { randomBytes } from 'node:crypto';
import { Refusal, type RefusalDetails, type RefusalName, type Reply, type Wire } from '../vendor-call/contract';

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
  refuse,
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

export function missingParameter(param: string, requestId: string): Refusal {
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

function refuse(name: RefusalName, { requestId, status, retryAfterMs }: RefusalDetails): Reply {
  const withId = (sentence: string) => `${sentence} Request id: ${requestId}`;
  switch (name) {
    case 'auth':
      return authenticationError(requestId);
    case 'rate-limit':
      return arkError(
        429,
        {
          code: 'RateLimitExceeded.EndpointIPMExceeded',
          message: withId('The images per minute (IPM) limit of the endpoint was exceeded. Please try again later.'),
          type: 'TooManyRequests',
        },
        // The vendor documents no such header: it is there only when a test asked for it.
        retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
      );
    case 'quota':
      return arkError(429, {
        code: 'QuotaExceeded',
        message: withId('Your account has used up the free quota of the model. Please activate the model service.'),
        type: 'TooManyRequests',
      });
    case 'balance':
      return arkError(403, {
        code: 'AccountOverdueError',
        message: withId('The request failed because your account has an overdue balance.'),
        type: 'Forbidden',
      });
    case '5xx':
      return arkError(status, {
        code: 'InternalServiceError',
        message: withId('The service encountered an unexpected internal error.'),
      });
    case 'busy':
      return arkError(429, {
        code: 'ServerOverloaded',
        message: withId('The service is currently unable to handle additional requests due to server overload.'),
        type: 'TooManyRequests',
      });
    case 'policy-submit':
      return arkError(400, {
        code: 'InputTextSensitiveContentDetected',
        message: withId('The request failed because the input text may contain sensitive information.'),
      });
  }
}
