import { randomUUID } from 'node:crypto';
import type { InputFault } from '../hosted/hosted-model';
import { Refusal, type Reply, type Wire } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';

const KEY = 'sim-fal-key';

/** fal's manners: `Key` before the key; `{detail, error_type}` of the queue, `{detail: [{loc, msg, type}]}` of models. */
export const falWire: Wire = {
  name: 'fal',
  newRequestId: () => randomUUID(),
  checkKey(request) {
    if (request.get('authorization') !== `Key ${KEY}`) throw new Refusal(unauthorized());
  },
  replyHeaders: (requestId) => ({ 'x-fal-request-id': requestId }),
  words: {
    auth: unauthorized,
    'rate-limit': () => queueError(429, 'Too many requests'),
    concurrency: 'what is beyond the limit of the account waits in the queue',
    quota: 'an account has its balance and no other allowance',
    balance: () =>
      queueError(403, 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.'),
    payment: 'an account without money is answered under 403, by `balance`',
    'plan-window': 'no subscriptions are sold for the queue',
    retired: ({ model }) => queueError(404, `Application '${model.split('/').slice(0, 2).join('/')}' not found`),
    'new-users': 'no document tells of models for some accounts alone',
    // A gateway before the queue answers this, in other words than the queue's.
    '5xx': ({ status }) => ({ status, body: { detail: 'Internal server error' } }),
    busy: 'requests wait in the queue until there is a runner',
    'policy-submit': () => modelError(flagged),
  },
  callback: {
    address: (request) => textOf(request.query['fal_webhook']),
    report: ({ id, outcome }) => ({
      request_id: id,
      gateway_request_id: id,
      status: outcome === 'done' ? 'OK' : 'ERROR',
      payload: null,
    }),
  },
  unknownPath: () => queueError(404, 'Not Found'),
};

export function queueError(status: number, detail: string, type?: string, headers: Record<string, string> = {}): Reply {
  const named = type === undefined ? {} : { 'x-fal-error-type': type };
  return { status, body: { detail, ...(type && { error_type: type }) }, headers: { ...headers, ...named } };
}

/** A model's refusal of its input. */
export function modelError({ path, type, message }: InputFault, status = 422): Reply {
  const url = `https://docs.fal.ai/errors/#${type}`;
  return { status, body: { detail: [{ loc: ['body', ...path], msg: message, type, url }] } };
}

export const nothingMade: InputFault = { path: [], type: 'no_media_generated', message: 'No media was generated' };

export const flagged: InputFault = {
  path: ['prompt'],
  type: 'content_policy_violation',
  message: 'The content could not be processed because it contained material flagged by a content checker.',
};

function unauthorized(): Reply {
  return queueError(401, "Authentication is required to access this application: 'Key' is missing or wrong.");
}
