import { message } from '@mediagate/contracts';
import { EgressError } from './egress-error';

/** One time limit over everything a call does. `signal.reason` is always an EgressError. */
export interface Deadline {
  signal: AbortSignal;
  /** Must be called when the work is over: it frees the timer and lets go of the outer signal. */
  clear(): void;
}

/** Aborts with `expiry()` after `timeoutMs`, or as soon as `outer` aborts. */
export function startDeadline(timeoutMs: number, expiry: () => EgressError, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(expiry()), timeoutMs);
  const stop = () => controller.abort(abortedBy(outer?.reason));
  if (outer?.aborted) stop();
  else outer?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
}

function abortedBy(reason: unknown): EgressError {
  if (reason instanceof EgressError) return reason;
  return new EgressError('aborted', message('transfer_aborted'), { cause: reason });
}
