import { randomUUID } from 'node:crypto';
import type { InputFault } from '../hosted/hosted-model';
import { Refusal, type Reply, type Wire } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';

const KEY = 'sim-replicate-key';

/** Replicate's manners: bearer token, `{title, detail, status}`. */
export const replicateWire: Wire = {
  name: 'replicate',
  newRequestId: () => randomUUID(),
  checkKey(request) {
    if (request.get('authorization') !== `Bearer ${KEY}`) throw new Refusal(unauthenticated());
  },
  replyHeaders: () => ({}),
  words: {
    auth: unauthenticated,
    'rate-limit': throttled,
    concurrency: 'predictions beyond what the account may run at once wait, `starting`',
    quota: () => problem(402, 'Monthly spend limit reached', 'You have reached your monthly spend limit.'),
    balance: outOfCredit,
    payment: outOfCredit,
    'plan-window': 'no subscriptions are sold',
    retired: () => notFound(),
    'new-users': () =>
      problem(
        422,
        'Invalid version or not permitted',
        "The specified version does not exist (or perhaps you don't have permission to use it?)",
      ),
    '5xx': ({ status }) => problem(status, 'Internal server error', 'An internal error occurred.'),
    busy: 'predictions wait, `starting`, until a machine is there',
    'policy-submit': () => problem(422, 'Input flagged', FLAGGED),
  },
  callback: {
    address: (_request, body) => textOf(body['webhook']),
    report: ({ id, model, outcome }) => ({ id, model, status: outcome === 'done' ? 'succeeded' : 'failed' }),
  },
  unknownPath: () => notFound(),
};

export const FLAGGED = 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)';

export function problem(status: number, title: string, detail: string, more: object = {}): Reply {
  return { status, body: { title, detail, status, ...more } };
}

export function notFound(): Reply {
  return { status: 404, body: { detail: 'The requested resource could not be found.', status: 404 } };
}

export function invalidInput({ path, type, message }: InputFault): Reply {
  const isMissing = type === 'missing';
  const field = ['input', ...(isMissing ? path.slice(0, -1) : path)].join('.');
  const description = isMissing ? `${path.at(-1)} is required` : message;
  return problem(422, 'Input validation failed', `- ${field}: ${description}\n`, {
    invalid_fields: [{ type: isMissing ? 'required' : type, field, description }],
  });
}

function unauthenticated(): Reply {
  return problem(401, 'Unauthenticated', 'You did not pass a valid authentication token');
}

function outOfCredit(): Reply {
  return problem(402, 'Insufficient credit', 'You have insufficient credit to run this model.');
}

function throttled(): Reply {
  return { status: 429, body: { detail: 'Request was throttled. Expected available in 1 second.', status: 429 } };
}
