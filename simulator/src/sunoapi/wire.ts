import { randomUUID } from 'node:crypto';
import { Refusal, type Reply, type Wire } from '../vendor-call/contract';
import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import type { SunoapiRequest } from './fields';

const KEY = 'sim-sunoapi-key';

/** sunoapi.org's manners: a bearer key, and `code` in the body as the verdict, under HTTP 200. */
export const sunoapiWire: Wire = {
  name: 'sunoapi',
  newRequestId: () => randomUUID(),
  checkKey(request) {
    if (request.get('authorization') !== `Bearer ${KEY}`) throw new Refusal(unauthorized);
  },
  replyHeaders: () => ({}),
  words: {
    auth: () => unauthorized,
    'rate-limit': () => fault(430, 'Your call frequency is too high. Please try again later.'),
    concurrency: 'it counts calls in ten seconds, never jobs at once',
    quota: noCredits,
    balance: noCredits,
    payment: 'its verdict is in the body, under 200, by `balance`',
    'plan-window': 'its credits have no windows; those that are used up are `quota`',
    retired: "its versions are the caller's choice: one that is gone is refused as any wrong field",
    'new-users': 'its versions are open to every account',
    '5xx': ({ status }) => fault(500, 'Server exception', status),
    busy: () => fault(455, 'The website is under maintenance'),
    'policy-submit': () => fault(400, 'Your prompt contains sensitive words'),
  },
  callback: {
    address: (_request, body) => textOf(body['callBackUrl']),
    report: ({ id, outcome }) => ({
      code: outcome === 'done' ? 200 : 500,
      msg: outcome === 'done' ? 'All generated successfully.' : 'Internal error, please try again later',
      data: { callbackType: outcome === 'done' ? 'complete' : 'error', task_id: id, data: [] },
    }),
  },
  unknownPath: () => fault(404, 'Not Found', 404),
};

export function success(data: unknown): Reply {
  return { status: 200, body: { code: 200, msg: 'success', data } };
}

function fault(code: number, msg: string, status = 200): Reply {
  return { status, body: { code, msg, data: null } };
}

function noCredits(): Reply {
  return fault(429, 'The current credits are insufficient. Please top up.');
}

const unauthorized = fault(401, 'You do not have access permissions');

export const invalid = (msg: string) => new Refusal(fault(400, msg));
export const tooLong = (field: string) => new Refusal(fault(413, `${field} is too long`));
export const notFound = (msg: string) => new Refusal(fault(404, msg));

/** Texts and links only. */
const MAX_BODY_BYTES = 256 * 1024;

export const readJsonBody = jsonReader(MAX_BODY_BYTES, () => invalid('The request parameters are incorrect'));

export const compileBody = (properties: Record<string, object>, required: (keyof SunoapiRequest)[]) =>
  bodyCheck<object, string, SunoapiRequest>({ properties, required }, invalid);
