import { randomUUID } from 'node:crypto';
import { Refusal, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-vllm-key';

/**
 * A server of vLLM-Omni as it stands behind a proxy that has accounts: bearer key, `{error:{message,type,param,code}}` of the server and of
 * the proxy, and `{detail}` of the framework.
 */
export const vllmWire: Wire = {
  name: 'vllm',
  newRequestId: () => randomUUID().replaceAll('-', ''),
  checkKey(request) {
    if (request.get('authorization') !== `Bearer ${KEY}`) throw new Refusal(unauthorized);
  },
  replyHeaders: (requestId) => ({ 'x-request-id': requestId }),
  words: {
    auth: () => unauthorized,
    'rate-limit': () =>
      vllmError(429, { message: 'Too many requests', type: 'rate_limit_error', code: 'rate_limit_exceeded' }),
    concurrency: 'its scheduler keeps what it cannot begin, however much that is',
    quota: () =>
      vllmError(429, { message: 'Budget has been exceeded', type: 'insufficient_quota', code: 'insufficient_quota' }),
    balance: () =>
      vllmError(402, { message: 'Insufficient balance', type: 'billing_error', code: 'insufficient_balance' }),
    payment: () =>
      vllmError(402, { message: 'Insufficient balance', type: 'billing_error', code: 'insufficient_balance' }),
    'plan-window': 'a server of one’s own has no plans; a budget that is used up is `quota`',
    retired: ({ model }) => noModel(model),
    'new-users': 'a model is there for every key or for none',
    '5xx': ({ status }) =>
      vllmError(status, { message: 'Internal server error', type: 'InternalServerError', code: status }),
    busy: () => detail(503, 'The engine is not ready'),
    'policy-submit': () =>
      vllmError(400, {
        message: 'Your request was blocked by our moderation system.',
        type: 'invalid_request_error',
        code: 'moderation_blocked',
      }),
  },
  cannot: {
    'missing-url': 'its answers about a job have no link: it is the content that is not there',
    'empty-result': 'its answers about a job have no result: it is the content that is not there',
    'wrong-type': 'its answers about a job have no result: it is the content that is not there',
  },
  unknownPath: () => detail(404, 'Not Found'),
};

interface VllmFault {
  message: string;
  type: string;
  code: string | number;
  param?: string;
}

function vllmError(status: number, fault: VllmFault): Reply {
  return { status, body: { error: { param: null, ...fault } } };
}

/** As the framework answers by itself. */
export function detail(status: number, sentence: string): Reply {
  return { status, body: { detail: sentence } };
}

/** A field that breaks its pattern, in the framework's list. */
export function invalidField(field: string, msg: string): Refusal {
  const fault = { type: 'value_error', loc: ['body', field], msg };
  return new Refusal({ status: 422, body: { detail: [fault] } });
}

export function badRequest(message: string, param?: string): Refusal {
  return new Refusal(
    vllmError(400, { message, type: 'BadRequestError', code: 400, ...(param !== undefined && { param }) }),
  );
}

export function noModel(model: string): Reply {
  const message = `The model \`${model.slice(0, 100)}\` does not exist.`;
  return vllmError(404, { message, type: 'NotFoundError', code: 404 });
}

const unauthorized: Reply = { status: 401, body: { error: 'Unauthorized' } };
