import { randomUUID } from 'node:crypto';
import { Refusal, type Reply, type Wire } from '../vendor-call/contract';
import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import type { SunoRequest } from './fields';

const KEY = 'sim-ttapi-key';

/** TTAPI's manners: a key in a header of its own, and `status` SUCCESS or FAILED beside a fitting HTTP status. */
export const ttapiWire: Wire = {
  name: 'ttapi',
  newRequestId: () => randomUUID(),
  checkKey(request) {
    if (request.get('tt-api-key') !== KEY) throw new Refusal(failure(401, 'Invalid TT-API-KEY'));
  },
  replyHeaders: () => ({}),
  words: {
    auth: () => failure(401, 'Invalid TT-API-KEY'),
    'rate-limit': () => failure(429, 'Too many requests'),
    concurrency: () => failure(429, 'Too many concurrent tasks'),
    quota: () => failure(402, 'Insufficient quota'),
    balance: () => failure(402, 'Insufficient quota'),
    payment: () => failure(402, 'Insufficient quota'),
    'plan-window': 'its quota has no windows; one that is used up is `quota`',
    retired: "its versions are the caller's choice: one that is gone is refused as any wrong field",
    'new-users': 'its versions are open to every account',
    '5xx': ({ status }) => failure(status, 'Internal Server Error'),
    busy: () => failure(503, 'Service is busy, please try again later'),
    'policy-submit': () => failure(400, policyMessage),
  },
  unknownPath: () => failure(404, 'Not Found'),
};

export function success(data: object): Reply {
  return { status: 200, body: { status: 'SUCCESS', message: 'success', data } };
}

function failure(status: number, message: string): Reply {
  return { status, body: { status: 'FAILED', message, data: null } };
}

/** A 400 about what was asked for. */
export function invalid(message: string): Refusal {
  return new Refusal(failure(400, message));
}

export const jobNotFound = () => new Refusal(failure(404, 'Job not found'));

export const policyMessage = 'The content was rejected by moderation';
export const faultMessage = 'Music generation failed, the quota has been refunded';

/** Texts and links only. */
const MAX_BODY_BYTES = 256 * 1024;

export const readJsonBody = jsonReader(MAX_BODY_BYTES, () => invalid('The request body is not valid JSON'));

export const compileBody = (properties: Record<string, object>, required: (keyof SunoRequest)[]) =>
  bodyCheck<object, string, SunoRequest>({ properties, required }, invalid);
