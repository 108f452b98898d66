import { type Fault, inEnglish, isJsonObject, type JsonObject, type Refused } from '@mediagate/contracts';
import type { Lack } from './contract';
import { type ErrorDialect, judgeError, type VendorError } from './error-dialect';
import type { Confidential } from './fault-detail';
import type { Answer, HttpClient, Lost, VendorRequest } from './http-client';
import { present } from './json-guards';
import { retryAfterFromHeaders } from './retry-after';
import { traceExchange } from './trace-exchange';

export interface VendorCall extends VendorRequest {
  dialect: ErrorDialect;
  confidential: Confidential;
}

/**
 * A JSON object under a 2xx without an error in it, or the fault that came instead, with what the vendor said, where the
 * protocol knows more to do about it.
 */
export type VendorReply = (
  | { ok: true; body: JsonObject }
  | { ok: false; fault: Fault; error?: VendorError | undefined }
) & { requestId?: string };

/** Makes one call and judges everything about its reply that is not the protocol's success shape. */
export async function callVendor(http: HttpClient, call: VendorCall): Promise<VendorReply> {
  const { dialect, confidential, ...request } = call;
  const reply = await traceExchange(request, () => http.send(request));
  if (reply.kind === 'lost') return { ok: false, fault: lostFault(reply) };
  const requestId = requestIdOf(reply, dialect);
  return present<VendorReply>({ ...judgeAnswer(reply, dialect, confidential), requestId });
}

/** A 2xx whose body is not what the protocol promises: the work was probably done and cannot be had. */
export function unreadable(why: string): Fault {
  return { code: 'outcome_unknown', detail: `a success that cannot be read: ${why}` };
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

/** What an answer that was read whole comes to, without the vendor's id of it. */
export function judgeAnswer(
  { status, headers, body }: Answer,
  dialect: ErrorDialect,
  confidential: Confidential,
): VendorReply {
  const error = body.kind === 'json' ? dialect.read(body.value, status) : undefined;
  const success = status >= 200 && status < 300;
  if (!success || error !== undefined) {
    const retryAfterMs = retryAfterFromHeaders(headers, Date.now());
    const fault = judgeError(dialect, status, error, { ...confidential, retryAfterMs });
    return { ok: false, fault, error };
  }
  if (body.kind === 'unreadable') return { ok: false, fault: unreadable(body.why) };
  if (!isJsonObject(body.value)) return { ok: false, fault: unreadable('not an object') };
  return { ok: true, body: body.value };
}

/** A fault that is known before anything is sent: the channel's protocol cannot carry the request. */
export function cannotCarry({ message }: Pick<Lack, 'message'>): Refused {
  const detail = `not sent, because the channel's protocol cannot say it: ${inEnglish(message)}`;
  return refused({ code: 'cannot_carry', message, detail });
}
