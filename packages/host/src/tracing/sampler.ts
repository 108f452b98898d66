import { type Context, TraceFlags, trace } from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace';
import { isFromOutside } from './request-span';

export interface SamplerOptions {
  /** Share of the requests that are recorded, from 0 to 1. */
  ratio: number;
  /** Requests a second that are recorded beyond this share because their callers ask for it. */
  callersPerSecond: number;
  /** From 0 to 1; default: chance. */
  random?: () => number;
  /** In milliseconds; default: the process's own. */
  now?: () => number;
}

const RECORDED: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const PASSED_OVER: SamplingResult = { decision: SamplingDecision.NOT_RECORD };

/**
 * Decides once for each request, and then keeps to it for all that follows from the request, in whatever process: a trace is
 * recorded whole or not at all. The gateway draws by itself: a caller chooses the id of a trace and its flag, so that neither may
 * decide. A flag is heeded for so many requests a second as the operator allows.
 */
export function createSampler({
  ratio,
  callersPerSecond,
  random = Math.random,
  now = () => performance.now(),
}: SamplerOptions): Sampler {
  const takeTurn = turnsPerSecond(callersPerSecond, now);
  const decide = (parent: Context): boolean => {
    const named = trace.getSpanContext(parent);
    const isFlagged = named !== undefined && (named.traceFlags & TraceFlags.SAMPLED) !== 0;
    if (named !== undefined && !isFromOutside(parent)) return isFlagged;
    return random() < ratio || (isFlagged && takeTurn());
  };
  return {
    shouldSample: (parent) => (decide(parent) ? RECORDED : PASSED_OVER),
    toString: () => `MediagateSampler{${ratio},${callersPerSecond}}`,
  };
}

/** True so many times within each second. */
function turnsPerSecond(limit: number, now: () => number): () => boolean {
  let second = Number.NEGATIVE_INFINITY;
  let taken = 0;
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      taken = 0;
    }
    taken += 1;
    return taken <= limit;
  };
}
