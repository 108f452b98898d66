import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalDetails, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-dashscope-key';

/** DashScope's manners: bearer key, `{code,message,request_id}` with the same words in refusals and in failed tasks. */
export const dashscopeWire: Wire = {
  name: 'dashscope',
  newRequestId: () => randomUUID(),
  checkKey(request, requestId) {
    if (request.get('authorization') !== `Bearer ${KEY}`) throw new Refusal(invalidApiKey(requestId));
  },
  replyHeaders: (requestId) => ({ 'x-request-id': requestId }),
  words: {
    auth: ({ requestId }) => invalidApiKey(requestId),
    'rate-limit': refusal(429, 'Throttling.RateQuota', 'Requests rate limit exceeded, please try again later.'),
    concurrency: refusal(
      429,
      'Throttling.AllocationQuota',
      'Allocated quota exceeded, please increase your quota limit.',
    ),
    quota: refusal(403, 'AccessDenied.Unpurchased', 'Access to model denied. Please make sure you are eligible.'),
    balance: refusal(400, 'Arrearage', 'Access denied, please make sure your account is in good standing.'),
    payment: 'an account that owes money is answered under 400 and 429, by `balance`',
    // As public clients of its plans quote it in 2026; the windows are an hour's, a week's and a month's.
    'plan-window': refusal(429, 'Throttling.AllocationQuota', 'hour allocated quota exceeded.'),
    retired: refusal(404, 'ModelNotFound', 'The model does not exist or you do not have access to it.'),
    'new-users': refusal(403, 'Model.AccessDenied', 'Model access denied.'),
    '5xx': ({ status, requestId }) => dashscopeError(status, internalError, requestId),
    busy: refusal(503, 'ServiceUnavailable', 'The service is temporarily unavailable, please try again later.'),
    'policy-submit': ({ requestId }) => dashscopeError(400, inspectionFailed('Input'), requestId),
  },
  unknownPath: () => dashscopeError(400, { code: 'InvalidParameter', message: 'url error, please check url!' }, 'none'),
};

export interface DashscopeFault {
  code: string;
  message: string;
}

export function dashscopeError(status: number, fault: DashscopeFault, requestId: string): Reply {
  return { status, body: { ...fault, request_id: requestId } };
}

export function invalidParameter(message: string, requestId: string): Refusal {
  return new Refusal(dashscopeError(400, { code: 'InvalidParameter', message }, requestId));
}

export function invalidUrl(message: string, requestId: string): Refusal {
  return new Refusal(dashscopeError(400, { code: 'InvalidURL', message }, requestId));
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

function refusal(status: number, code: string, message: string): (details: RefusalDetails) => Reply {
  return ({ requestId }) => dashscopeError(status, { code, message }, requestId);
}
