import { randomUUID } from 'node:crypto';
import {
  type JsonObject,
  Refusal,
  type RefusalDetails,
  type RefusalName,
  type Reply,
  type Wire,
} from '../vendor-call/contract';

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
  refuse,
  unknownPath: () => ({ status: 404, body: { error: '404 page not found' } }),
};

export const success = { status_code: 0, status_msg: 'success' };

export function verdict(code: number, message: string): JsonObject {
  return { status_code: code, status_msg: message };
}

export function minimaxFault(code: number, message: string): Reply {
  return { status: 200, body: { base_resp: verdict(code, message) } };
}

export function invalidParams(reason: string): Refusal {
  return new Refusal(minimaxFault(2013, `invalid params, ${reason}`));
}

export const rateLimited = 'rate limit exceeded(RPM)';

function refuse(name: RefusalName, { status, retryAfterMs }: RefusalDetails): Reply {
  switch (name) {
    case 'auth':
      return minimaxFault(2049, 'invalid api key');
    case 'rate-limit': {
      const reply = minimaxFault(1002, rateLimited);
      // The vendor documents no such header: it is there only when a test asked for it.
      return retryAfterMs === undefined
        ? reply
        : { ...reply, headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } };
    }
    case 'quota':
    case 'balance':
      return minimaxFault(1008, 'insufficient balance');
    case '5xx':
      // A figure of its own asks for the status itself; without one the vendor says it in the body.
      return status === 500 ? minimaxFault(1000, 'unknown error') : { ...minimaxFault(1000, 'unknown error'), status };
    case 'busy':
      return minimaxFault(1033, 'system error, please retry later');
    case 'policy-submit':
      return minimaxFault(1026, 'input new_sensitive');
  }
}
