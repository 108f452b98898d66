import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { type JsonObject, Refusal, type RefusalDetails, type Reply, type Wire } from '../vendor-call/contract';
import { bodyCheck } from '../vendor-call/json-body';
import { isJsonObject, parseJson, readBytes, textOf } from '../vendor-call/request-body';
import { faultOfCredential, type KlingFault } from './credential';

/** Kling's manners: a bearer key or token, `{code,message,request_id}`, and an HTTP status that fits the code. */
export const klingWire: Wire = {
  name: 'kling',
  newRequestId: () => randomUUID(),
  checkKey(request, requestId) {
    const fault = faultOfCredential(request.get('authorization'), Date.now());
    if (fault) throw new Refusal(klingFault(401, fault, requestId));
  },
  replyHeaders: (requestId) => ({ 'x-request-id': requestId }),
  words: {
    auth: refusal(401, 1002, 'Authorization is invalid'),
    'rate-limit': refusal(429, 1302, 'The API request is too fast, exceeding the platform rate limit'),
    concurrency: refusal(429, 1303, 'parallel task over resource pack limit'),
    quota: refusal(429, 1102, 'Resource pack depleted or expired'),
    balance: refusal(429, 1101, 'Account in arrears'),
    payment: 'an account without money is answered under 429, by `quota` and `balance`',
    'plan-window': 'its packs are of units and have no windows; a pack that is used up is `quota`',
    retired: ({ model, requestId }) =>
      klingFault(404, { code: 1203, message: `model ${model} does not exist` }, requestId),
    'new-users': refusal(403, 1103, 'No permission to access the requested resource, such as the model'),
    '5xx': ({ status, requestId }) =>
      klingFault(status, { code: status === 504 ? 5002 : 5000, message: internalFailure }, requestId),
    busy: refusal(503, 5001, 'Server temporarily unavailable, usually due to maintenance'),
    'policy-submit': refusal(400, 1301, 'Trigger the content security policy'),
  },
  callback: {
    address: (_request, body) => {
      const { callback_url: address } = isJsonObject(body['options']) ? body['options'] : body;
      return textOf(address);
    },
    report: ({ id, outcome, endsAtMs }) => ({
      task_id: id,
      task_status: outcome === 'done' ? 'succeed' : 'failed',
      updated_at: Math.round(endsAtMs),
    }),
  },
  unknownPath: () => klingFault(404, { code: 1202, message: 'The request method is invalid' }, 'none'),
};

function klingFault(status: number, fault: KlingFault, requestId: string): Reply {
  return { status, body: { ...fault, request_id: requestId } };
}

export function klingSuccess(data: unknown, requestId: string): Reply {
  return { status: 200, body: { code: 0, message: 'SUCCEED', request_id: requestId, data } };
}

/** A 400 about one parameter. */
export function invalidParameter(message: string, requestId: string): Refusal {
  return new Refusal(klingFault(400, { code: 1201, message }, requestId));
}

export function notFound(message: string, requestId: string): Refusal {
  return new Refusal(klingFault(404, { code: 1203, message }, requestId));
}

export const outputRefused = 'Failure to pass the risk control system';
export const internalFailure = 'Internal service error';

function refusal(status: number, code: number, message: string): (details: RefusalDetails) => Reply {
  return ({ requestId }) => klingFault(status, { code, message }, requestId);
}

/** Two images of 50 MB in base64. */
const MAX_BODY_BYTES = 140 * 1024 * 1024;

/** The JSON object of a request; throws the vendor's refusal. */
export async function readJsonBody(request: Request, requestId: string): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  const body = read.kind === 'bytes' ? parseJson(markLongs(read.bytes)) : undefined;
  if (isJsonObject(body)) return body;
  throw invalidParameter('the body is no JSON, or too large', requestId);
}

/** A whole number, or one that a double would round, as it was written. */
export const longOrInteger = {
  type: ['object', 'integer'],
  required: ['long'],
  properties: { long: { type: 'string', pattern: '^\\d{16,19}$' } },
} as const;

function markLongs(bytes: Buffer): Buffer {
  const literals = /"(?:[^"\\]|\\.)*"|(?<![\d.])\d{16,19}(?![\d.eE])/g;
  const json = bytes.toString('utf8');
  return Buffer.from(
    json.replace(literals, (literal) => (literal.startsWith('"') ? literal : `{"long":"${literal}"}`)),
  );
}

export const compileBody = <const P extends object, const R extends string>(properties: P, required: R[]) =>
  bodyCheck({ properties, required }, invalidParameter);
