import { compressionsOf, type Fault } from '@mediagate/contracts';
import { heedEnd } from './announced-end';
import type { Endpoint } from './contract';
import type { ErrorDialect, VendorError } from './error-dialect';
import type { StreamAnswer, StreamReply } from './exchange';
import type { Confidential } from './fault-detail';
import type { Answer, HttpClient, StreamRequest } from './http-client';
import { ERROR_ANSWER_MAX_BYTES, type Lost, parseJson, readBytes } from './json-body';
import { present } from './json-guards';
import { type KeyInUse, sendWithKey } from './send-with-key';
import { traceExchange } from './trace-exchange';
import { judgeAnswer, lostFault, requestIdOf, unreadable } from './vendor-call';

/** An answer that is no success is read to its end, because its words decide; no longer than this. */
const ERROR_ANSWER_MAX_MS = 5_000;

export interface VendorStreamCall extends StreamRequest {
  /** Absent: `headers` show it. */
  key?: KeyInUse;
  /** Whom the answer is about; absent: the endpoint of `key`. */
  endpoint?: Endpoint;
  dialect: ErrorDialect;
  confidential: Confidential;
  /** The media types of a success, in lower case and without parameters. */
  accepts(mediaType: string): boolean;
}

/** A success that has begun, or the fault that came instead, with what the vendor said. */
export type VendorStreamReply = (
  | { ok: true; answer: StreamAnswer }
  | { ok: false; fault: Fault; error?: VendorError | undefined }
) & { requestId?: string };

/** Makes one call and judges all of its reply but the body of a success, by the same rules as `callVendor`. */
export async function streamVendor(http: HttpClient, call: VendorStreamCall): Promise<VendorStreamReply> {
  const { dialect, confidential, accepts, key, endpoint = key?.endpoint } = call;
  const reply = await sendWithKey<StreamReply>(key, {
    signal: call.signal,
    send: (headers) => traceExchange(call, () => http.stream(shown(call, headers))),
    drop: (refusal) => 'body' in refusal && refusal.body.close(),
  });
  if (reply.kind === 'not_shown') return { ok: false, fault: reply.fault };
  if (reply.kind === 'lost') return { ok: false, fault: isOurOwn(reply) ? saturated(reply) : lostFault(reply) };
  heedEnd(http.heed, endpoint, reply.headers);
  const refusal = isSuccess(reply, accepts) ? undefined : await readWhole(reply);
  const requestId = requestIdOf(refusal ?? { headers: reply.headers }, dialect);
  if (refusal === undefined) return { ok: true, answer: reply, ...(requestId !== undefined && { requestId }) };
  const judged = judgeAnswer(refusal, dialect, confidential);
  const result = judged.ok ? { ok: false as const, fault: unreadable('not of a type that was asked for') } : judged;
  return present<VendorStreamReply>({ ...result, requestId });
}

/** Field by field: to copy all that a call has costs more. */
function shown(call: VendorStreamCall, headers: Readonly<Record<string, string>>): StreamRequest {
  const { method, url, body, owner, signal, onSent, headersTimeoutMs, bodyTimeoutMs, maxBodyBytes } = call;
  const limits = { headersTimeoutMs, bodyTimeoutMs, maxBodyBytes };
  return {
    method,
    url,
    headers: { ...call.headers, ...headers },
    ...(body && { body }),
    owner,
    signal,
    onSent,
    ...limits,
  };
}

/** Connecting has a limit of its own: what was not sent within its time waited for a connection, of which we had too few. */
function isOurOwn({ sent, why }: Lost): boolean {
  return !sent && (why === 'busy' || why === 'deadline');
}

/** Another channel may have a free slot, and this one has not failed. */
function saturated({ why }: Lost): Fault {
  return { code: 'rate_limited', detail: `not sent: no connection was free (${why})` };
}

/** No compression was asked for, and nobody here undoes one. */
function isSuccess({ status, headers }: StreamAnswer, accepts: VendorStreamCall['accepts']): boolean {
  const isPlain = compressionsOf(headers['content-encoding']).length === 0;
  const mediaType = (headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();
  return status >= 200 && status < 300 && isPlain && accepts(mediaType);
}

async function readWhole({ status, headers, body }: StreamAnswer): Promise<Answer> {
  const read = await readBytes(body, { maxBytes: ERROR_ANSWER_MAX_BYTES, withinMs: ERROR_ANSWER_MAX_MS });
  return { kind: 'answer', status, headers, body: read.kind === 'bytes' ? parseJson(read.bytes.toString()) : read };
}
