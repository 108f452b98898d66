import type { Fault } from '@mediagate/contracts';
import type { StreamEnd } from '@mediagate/streams';
import type { Outcome, Run } from '../run-state';

/**
 * A synchronous task without a listener is never sent to an upstream. The worker asked for its listener when it claimed the
 * task, so that the answer arrives while the intent is written. From here on the call ends when the listener leaves.
 */
export async function joinListener(run: Run): Promise<Run> {
  if (!run.entry.synchronous) return run;
  const listener = await run.openingStream;
  if (!listener) return { ...run, outcome: withoutListener('caller_left') };
  if (listener.ended) return { ...run, listener, outcome: withoutListener(listener.ended) };
  return { ...run, listener, signal: AbortSignal.any([run.signal, listener.signal]) };
}

/** Before the upstream's first byte: nothing to pay. */
export function withoutListener(end: StreamEnd, what: { fault?: Fault; requestIds?: string[] } = {}): Outcome {
  switch (end) {
    case 'caller_left':
      return { kind: 'failed', reason: 'caller_left', ...what };
    case 'api_gone':
      return { kind: 'failed', reason: 'internal_error', ...what };
    default:
      return end satisfies never;
  }
}
