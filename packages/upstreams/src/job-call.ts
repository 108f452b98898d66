import type { OptionRules } from './channel-options';
import type { CallContext, Endpoint } from './contract';

/** Vendors of jobs answer a start or a question at once; the work itself is never waited for. */
const CALL_TIMEOUT_SECONDS = 60;
/** A check occupies a slot of the worker, and checking again later costs nothing. */
const QUESTION_MAX_TIMEOUT_MS = 10_000;
/** Answers hold links and figures, no media. */
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Options of every protocol of jobs. `max_check_seconds`: the longest pause between two questions about one job. */
export const JOB_OPTIONS = {
  timeout_seconds: { kind: 'integer', min: 1, max: 600 },
  max_check_seconds: { kind: 'integer', min: 1, max: 600 },
} as const satisfies OptionRules;

/** The bounds of a start; `timeout_seconds` is the channel's option. */
export function jobCallBounds({ endpoint, signal }: CallContext) {
  const seconds = endpoint.options['timeout_seconds'];
  return {
    endpoint,
    signal,
    timeoutMs: (typeof seconds === 'number' ? seconds : CALL_TIMEOUT_SECONDS) * 1000,
    maxResponseBytes: ANSWER_MAX_BYTES,
  };
}

/** The bounds of a question: those of a start, and 10 seconds at most. */
export function questionBounds(context: CallContext) {
  const bounds = jobCallBounds(context);
  return { ...bounds, timeoutMs: Math.min(bounds.timeoutMs, QUESTION_MAX_TIMEOUT_MS) };
}

export function bearer({ apiKey }: Endpoint): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}
