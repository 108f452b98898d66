import { randomUUID } from 'node:crypto';
import { type JsonObject, Refusal, type Reply, type Wire } from '../vendor-call/contract';

const KEY = 'sim-minimax-key';

/** MiniMax's manners: bearer key, and a verdict in `base_resp` under HTTP 200, whatever it is. */
export const minimaxWire: Wire = {
  name: 'minimax',
  newRequestId: () => randomUUID().replaceAll('-', ''),
  checkKey(request) {
    const authorization = request.get('authorization') ?? '';
    if (authorization === '') throw new Refusal(minimaxFault(1004, 'login fail: please carry the API secret key'));
    if (authorization !== `Bearer ${KEY}`) throw new Refusal(minimaxFault(2049, 'invalid api key'));
  },
  replyHeaders: (requestId) => ({ 'trace-id': requestId }),
  words: {
    auth: () => minimaxFault(2049, 'invalid api key'),
    'rate-limit': () => minimaxFault(1002, 'rate limit exceeded(RPM)'),
    concurrency: () => minimaxFault(1041, 'conn limit exceeded'),
    quota: () => minimaxFault(1008, 'insufficient balance'),
    balance: () => minimaxFault(1008, 'insufficient balance'),
    payment: 'its verdict is in the body, under 200, by `balance`',
    // As a subscriber quotes it (MiniMax-AI/MiniMax-M2.7#36, May 2026).
    'plan-window': () =>
      minimaxFault(2056, 'usage limit exceeded, 5-hour usage limit reached for Token Plan Starter (0/0 used)'),
    retired: ({ model }) => minimaxFault(2013, `invalid params, model ${model} is not supported`),
    'new-users': 'a model that is not open to an account is answered as one that is not there',
    // A figure of its own asks for the status itself; without one the vendor says it in the body.
    '5xx': ({ status }) => ({
      ...minimaxFault(1000, 'unknown error'),
      ...(status !== 500 && { status }),
    }),
    busy: () => minimaxFault(1033, 'system error, please retry later'),
    'policy-submit': () => minimaxFault(1026, 'input new_sensitive'),
  },
  unknownPath: () => ({ status: 404, body: { error: '404 page not found' } }),
};

export const success = { status_code: 0, status_msg: 'success' };

export function verdict(code: number, message: string): JsonObject {
  return { status_code: code, status_msg: message };
}

function minimaxFault(code: number, message: string): Reply {
  return { status: 200, body: { base_resp: verdict(code, message) } };
}

export function invalidParams(reason: string): Refusal {
  return new Refusal(minimaxFault(2013, `invalid params, ${reason}`));
}
