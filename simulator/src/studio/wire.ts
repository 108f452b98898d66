import { randomUUID } from 'node:crypto';
import { Refusal, type Reply, type Wire } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { checkSignature } from './signatures';
import { fault } from './words';

const KEY = 'sim-studio-key';

/** The manners of an in-house vendor, as docs/http-job.md describes it: a bearer key or a signature, and errors with a code under a status of HTTP. */
export const studioWire: Wire = {
  name: 'studio',
  newRequestId: randomUUID,
  checkKey(request) {
    if (request.get('authorization') !== `Bearer ${KEY}` && !checkSignature(request)) throw new Refusal(badKey());
  },
  replyHeaders: (requestId) => ({ 'x-request-id': requestId }),
  words: {
    auth: badKey,
    'rate-limit': () => fault(429, 'too_many_requests', 'Slow down.'),
    concurrency: () => fault(429, 'too_many_jobs', 'As many jobs as the team may have are under way.'),
    quota: () => fault(429, 'allowance_used', 'The team has used up its hours of this month.'),
    balance: () => fault(402, 'no_funds', 'The team has no budget left.'),
    payment: () => fault(402, 'no_funds', 'The team has no budget left.'),
    'plan-window': 'its hours are those of a month, by `quota`',
    retired: ({ model }) => fault(404, 'no_such_model', `The model ${model} is not installed any more.`),
    'new-users': 'every team may use every model',
    '5xx': ({ status }) => fault(status, 'internal', 'Something broke.'),
    busy: () => fault(503, 'draining', 'The machines restart; try again.'),
    'policy-submit': () => fault(422, 'content_refused', CONTENT),
  },
  callback: {
    address: (_request, body) => textOf(body['notify_url']),
    report: ({ id, outcome }) => ({ id, state: outcome === 'done' ? 'finished' : 'broken' }),
  },
  unknownPath: (method, path) => fault(404, 'no_such_path', `There is no ${method} ${path}.`),
};

export const CONTENT = 'We do not make what this asks for.';

export function noSuchJob(): Refusal {
  return new Refusal(fault(404, 'no_such_job', 'There is no job of this id.'));
}

export function invalid(field: string, message: string): Refusal {
  return new Refusal(fault(400, 'invalid', message, { field }));
}

function badKey(): Reply {
  return fault(401, 'bad_key', 'The key is not known.');
}
