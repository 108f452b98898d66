import type { OptionRules } from './channel-options';
import type { CallContext, Endpoint } from './contract';

/** Vendors of jobs answer a start or a question at once; the work itself is never waited for. */
const CALL_TIMEOUT_SECONDS = 60;
/** Answers hold links and figures, no media. */
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Of every protocol of jobs. `max_check_seconds`: the longest pause between two questions about one job. */
export const JOB_OPTIONS = {
  timeout_seconds: { kind: 'integer', min: 1, max: 600 },
  max_check_seconds: { kind: 'integer', min: 1, max: 600 },
} as const satisfies OptionRules;

/** The bounds of one call; `timeout_seconds` is the channel's option. */
export function jobCallBounds({ endpoint, signal }: CallContext) {
  const seconds = endpoint.options['timeout_seconds'];
  return {
    signal,
    timeoutMs: (typeof seconds === 'number' ? seconds : CALL_TIMEOUT_SECONDS) * 1000,
    maxResponseBytes: ANSWER_MAX_BYTES,
  };
}

export function bearer({ apiKey }: Endpoint): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}
