import type { Message, Owner } from '@mediagate/contracts';
import { EgressError, type EgressReason } from '@mediagate/egress';
import { callbackTraceHeaders, inSpan, type SpanNotes, serverOf } from '@mediagate/host';
import type { AttemptOutcome } from './retry-schedule';
import type { SendingRules } from './sending-rules';

/** Bytes read of an answer at most; its status line alone decides. */
const MAX_RESPONSE_BYTES = 4096;

/** Reasons for which the guarded client refuses an address. They end the delivery: a retry must not serve to probe addresses. */
const BLOCKED: ReadonlySet<EgressReason> = new Set(['bad_url', 'blocked_port', 'blocked_address']);

export interface CallbackRequest {
  /** The owner of the request; default: none, and all requests without an owner count together. */
  owner?: Owner;
  /** The URL as judged: with `/callback` behind the path. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface PostedCallback {
  outcome: AttemptOutcome;
  /** First printable characters of the answer, for the operator only. */
  excerpt?: string;
  /** Why there was no answer, for whoever named the URL. */
  problem?: Message;
  durationMs: number;
}

/**
 * Makes one request. Whatever the receiver or the network does is an outcome; only a bug of ours throws. In a trace it is a span, from
 * which the receiver may go on.
 */
export async function postCallback(
  request: CallbackRequest,
  rules: Pick<SendingRules, 'client' | 'timeoutMs'>,
): Promise<PostedCallback> {
  const startedMs = performance.now();
  const attributes = () => ({ 'http.request.method': 'POST', ...serverOf(request.url) });
  const ended = await inSpan('POST', { kind: 'client', attributes }, async (span) => {
    const headers = { ...request.headers, ...callbackTraceHeaders() };
    const posted = await post({ ...request, headers }, rules);
    noteOutcome(span, posted.outcome);
    return posted;
  });
  return { ...ended, durationMs: Math.round(performance.now() - startedMs) };
}

function noteOutcome(span: SpanNotes, outcome: AttemptOutcome): void {
  if (outcome.kind === 'answered') {
    span.note({ 'http.response.status_code': outcome.status });
    if (outcome.status >= 300) span.fail(String(outcome.status));
  } else {
    span.fail(outcome.reason);
  }
}

async function post(
  { url, ...request }: CallbackRequest,
  { client, timeoutMs }: Pick<SendingRules, 'client' | 'timeoutMs'>,
): Promise<Omit<PostedCallback, 'durationMs'>> {
  try {
    const answer = await client.post(url, { ...request, timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES });
    return { outcome: { kind: 'answered', status: answer.status }, excerpt: answer.excerpt };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { outcome: toOutcome(error), problem: error.problem };
  }
}

function toOutcome(error: EgressError): AttemptOutcome {
  const kind = BLOCKED.has(error.reason) ? 'blocked' : 'unanswered';
  return { kind, reason: error.reason, detail: error.message };
}
