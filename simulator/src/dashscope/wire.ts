import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalDetails, type RefusalName, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-dashscope-key';

/** DashScope's manners: bearer key, `{code,message,request_id}` with the same words in refusals and in failed tasks. */
export const dashscopeWire: Wire = {
  name: 'dashscope',
  newRequestId: () => randomUUID(),
  checkKey(request, requestId) {
    if (request.get('authorization') !== `Bearer ${KEY}`) throw new Refusal(invalidApiKey(requestId));
  },
  replyHeaders: (requestId) => ({ 'x-request-id': requestId }),
  refuse,
  unknownPath: () => dashscopeError(400, { code: 'InvalidParameter', message: 'url error, please check url!' }, 'none'),
};

export interface DashscopeFault {
  code: string;
  message: string;
}

export function dashscopeError(
  status: number,
  fault: DashscopeFault,
  requestId: string,
  headers: Record<string, string> = {},
): Reply {
  return { status, body: { ...fault, request_id: requestId }, headers };
}

export function invalidParameter(message: string, requestId: string): Refusal {
  return new Refusal(dashscopeError(400, { code: 'InvalidParameter', message }, requestId));
}

export function invalidUrl(message: string, requestId: string): Refusal {
  return new Refusal(dashscopeError(400, { code: 'InvalidURL', message }, requestId));
}

export function allocationQuota(requestId: string): Refusal {
  const message = 'Allocated quota exceeded, please increase your quota limit.';
  return new Refusal(dashscopeError(429, { code: 'Throttling.AllocationQuota', message }, requestId));
}

export const inspectionFailed = (what: 'Input' | 'Output'): DashscopeFault => ({
  code: 'DataInspectionFailed',
  message: `${what} data may contain inappropriate content.`,
});

export const internalError: DashscopeFault = {
  code: 'InternalError',
  message: 'An internal error has occured, please try again later or contact service support.',
};

function invalidApiKey(requestId: string): Reply {
  return dashscopeError(401, { code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, requestId);
}

function refuse(name: RefusalName, { requestId, status, retryAfterMs }: RefusalDetails): Reply {
  const reply = (code: string, message: string, httpStatus: number, headers: Record<string, string> = {}) =>
    dashscopeError(httpStatus, { code, message }, requestId, headers);
  switch (name) {
    case 'auth':
      return invalidApiKey(requestId);
    case 'rate-limit':
      // The vendor documents no such header: it is there only when a test asked for it.
      return reply(
        'Throttling.RateQuota',
        'Requests rate limit exceeded, please try again later.',
        429,
        retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
      );
    case 'quota':
      return reply('AccessDenied.Unpurchased', 'Access to model denied. Please make sure you are eligible.', 403);
    case 'balance':
      return reply('Arrearage', 'Access denied, please make sure your account is in good standing.', 400);
    case '5xx':
      return dashscopeError(status, internalError, requestId);
    case 'busy':
      return reply('ServiceUnavailable', 'The service is temporarily unavailable, please try again later.', 503);
    case 'policy-submit':
      return dashscopeError(400, inspectionFailed('Input'), requestId);
  }
}
