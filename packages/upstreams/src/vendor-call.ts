import {
  bytesIn,
  type Fault,
  inEnglish,
  isJsonObject,
  type JsonObject,
  type MediaBytes,
  type Refused,
} from '@mediagate/contracts';
import { heedEnd } from './announced-end';
import type { Endpoint, Lack } from './contract';
import { type ErrorDialect, judgeError, type VendorError } from './error-dialect';
import type { Confidential } from './fault-detail';
import type { Answer, HttpClient, VendorRequest } from './http-client';
import type { Lost } from './json-body';
import { present } from './json-guards';
import { bodyPieces } from './payload';
import { retryAfterFromHeaders } from './retry-after';
import { type KeyInUse, sendWithKey } from './send-with-key';
import { traceExchange } from './trace-exchange';

export interface VendorCall extends Omit<VendorRequest, 'headers' | 'expects'> {
  /** Beside those of `key`. */
  headers?: Record<string, string>;
  /** Absent: `headers` and `body` show it. */
  key?: KeyInUse;
  /** Whom the answer is about; absent: the endpoint of `key`. */
  endpoint?: Endpoint;
  dialect: ErrorDialect;
  confidential: Confidential;
}

/** The fault that came instead of a success, with the vendor's words where the protocol can do more about them. */
export interface VendorRefusal {
  ok: false;
  fault: Fault;
  error?: VendorError | undefined;
  /** A whole 2xx that is no JSON object, as a file, a page or a list. */
  isNoObject?: true;
}

/** A JSON object under a 2xx without an error in it, or the fault that came instead. */
export type VendorReply = ({ ok: true; body: JsonObject; headers: Answer['headers'] } | VendorRefusal) & {
  requestId?: string;
};

/** A file under a 2xx, or the fault that came instead. `contentType` is the vendor's claim: the bytes decide. */
export type VendorFile = (
  | { ok: true; bytes: MediaBytes; contentType?: string; headers: Answer['headers'] }
  | VendorRefusal
) & { requestId?: string };

/** Makes one call and judges everything about its reply that is not the protocol's success shape. */
export async function callVendor(http: HttpClient, call: VendorCall): Promise<VendorReply> {
  const reply = await exchange(http, call, 'json');
  if (reply.kind !== 'answer') return { ok: false, fault: reply.fault };
  const { dialect, confidential } = call;
  return present<VendorReply>({
    ...judgeAnswer(reply, dialect, confidential),
    requestId: requestIdOf(reply, dialect),
  });
}

/** The same, for a success that is a file itself. `maxResponseBytes` bounds it; without `newFile` it is in memory. */
export async function callVendorForFile(http: HttpClient, call: VendorCall): Promise<VendorFile> {
  const reply = await exchange(http, call, 'file');
  if (reply.kind !== 'answer') return { ok: false, fault: reply.fault };
  const { dialect, confidential } = call;
  return present<VendorFile>({ ...judgeFile(reply, dialect, confidential), requestId: requestIdOf(reply, dialect) });
}

async function exchange(
  http: HttpClient,
  { dialect: _, confidential: __, key, endpoint = key?.endpoint, ...call }: VendorCall,
  expects: 'json' | 'file',
): Promise<Answer | { kind: 'unanswered'; fault: Fault }> {
  const { method, url, headers = {}, body } = call;
  const reply = await sendWithKey<Answer | Lost>(key, {
    signal: call.signal,
    call: { method, url, headers, body: () => bodyPieces(body) },
    isOnce: body !== undefined && 'form' in body,
    send(shown) {
      const request = { ...call, headers: { ...headers, ...shown }, expects };
      return traceExchange(request, () => http.send(request));
    },
  });
  if (reply.kind === 'answer') {
    heedEnd(http.heed, endpoint, reply.headers);
    return reply;
  }
  return { kind: 'unanswered', fault: reply.kind === 'lost' ? lostFault(reply) : reply.fault };
}

/** A 2xx whose body is not what the protocol promises: the work was probably done and cannot be had. */
export function unreadable(why: string, credits?: string): Fault {
  return present<Fault>({ code: 'outcome_unknown', detail: `a success that cannot be read: ${why}`, credits });
}

export function refused(fault: Fault, requestIds: readonly (string | undefined)[] = []): Refused {
  const ids = requestIds.filter((id) => id !== undefined);
  return ids.length === 0 ? { kind: 'refused', fault } : { kind: 'refused', fault, requestIds: ids };
}

/** The vendor's own id of the exchange, from the body or the header that the dialect names. At most 200 characters. */
export function requestIdOf(
  { headers, body }: Pick<Answer, 'headers'> & Partial<Answer>,
  dialect: ErrorDialect,
): string | undefined {
  const inBody = body?.kind === 'json' ? dialect.requestIdOf?.(body.value) : undefined;
  const inHeader = dialect.requestIdHeader === undefined ? undefined : headers[dialect.requestIdHeader];
  return (inBody ?? inHeader)?.slice(0, 200);
}

export function lostFault({ sent, why, code }: Lost): Fault {
  const detail = `${sent ? 'no answer' : 'not sent'}: ${why}${code === undefined ? '' : ` ${code}`}`;
  return { code: sent ? 'outcome_unknown' : 'not_accepted', detail };
}

/** Judges an answer that was read whole; the reply lacks the vendor's id of it. */
export function judgeAnswer(answer: Answer, dialect: ErrorDialect, confidential: Confidential): VendorReply {
  const refusal = refusalIn(answer, dialect, confidential);
  if (refusal !== undefined) return refusal;
  const { body } = answer;
  if (body.kind === 'unreadable' && body.why !== 'not_json') return { ok: false, fault: unreadable(body.why) };
  if (body.kind !== 'json' || !isJsonObject(body.value)) {
    const why = body.kind === 'unreadable' ? body.why : 'not an object';
    return { ok: false, fault: unreadable(why), isNoObject: true };
  }
  return { ok: true, body: body.value, headers: answer.headers };
}

function judgeFile(answer: Answer, dialect: ErrorDialect, confidential: Confidential): VendorFile {
  const refusal = refusalIn(answer, dialect, confidential);
  if (refusal !== undefined) return refusal;
  const { body, headers } = answer;
  if (body.kind !== 'file') {
    return { ok: false, fault: unreadable(body.kind === 'json' ? 'JSON in place of a file' : body.why) };
  }
  if (bytesIn(body.bytes) === 0) return { ok: false, fault: { code: 'generation_failed', detail: 'an empty file' } };
  return present<VendorFile>({ ok: true, bytes: body.bytes, contentType: headers['content-type'], headers });
}

/** The error that an answer says, by its status or in a body that was read; undefined: none. */
function refusalIn(
  { status, headers, body }: Answer,
  dialect: ErrorDialect,
  confidential: Confidential,
): VendorRefusal | undefined {
  const error = body.kind === 'json' ? dialect.read(body.value, status) : undefined;
  const success = status >= 200 && status < 300;
  if (success && error === undefined) return undefined;
  const retryAfterMs = retryAfterFromHeaders(headers, Date.now());
  return { ok: false, fault: judgeError(dialect, status, error, { ...confidential, retryAfterMs }), error };
}

/** A fault that is known before anything is sent: the channel's protocol cannot carry the request. */
export function cannotCarry({ message }: Pick<Lack, 'message'>): Refused {
  const detail = `not sent, because the channel's protocol cannot say it: ${inEnglish(message)}`;
  return refused({ code: 'cannot_carry', message, detail });
}
