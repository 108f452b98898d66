import { EgressError, type EgressReason } from '@mediagate/egress';
import type { AttemptOutcome } from '@mediagate/webhooks';
import type { DeliveryRules } from './rules';
import type { Prepared, Sent } from './stages';

/** Read of an answer at most; its status line alone decides. */
const MAX_RESPONSE_BYTES = 4096;

/** What the guarded client will not connect to. No later attempt changes that, or may be used to try. */
const BLOCKED: ReadonlySet<EgressReason> = new Set(['bad_url', 'blocked_port', 'blocked_address']);

export interface SendDeps {
  rules(): DeliveryRules;
}

/** One request. Whatever the receiver or the network does is an outcome; only a bug of ours throws. */
export async function send(prepared: Prepared, deps: SendDeps): Promise<Sent> {
  const startedMs = performance.now();
  const ended = await post(prepared, deps);
  return { ...prepared, ...ended, durationMs: Math.round(performance.now() - startedMs) };
}

async function post(prepared: Prepared, deps: SendDeps): Promise<Pick<Sent, 'outcome' | 'excerpt'>> {
  const { client, timeoutMs } = deps.rules();
  try {
    const answer = await client.post(prepared.url, {
      headers: prepared.headers,
      body: prepared.attempt.body,
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    return { outcome: { kind: 'answered', status: answer.status }, excerpt: answer.excerpt };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { outcome: toOutcome(error) };
  }
}

function toOutcome(error: EgressError): AttemptOutcome {
  const kind = BLOCKED.has(error.reason) ? 'blocked' : 'unanswered';
  return { kind, reason: error.reason, detail: error.message };
}
