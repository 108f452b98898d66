import type { Fault } from '@mediagate/contracts';
import type { StreamEnd } from '@mediagate/streams';
import type { Outcome, Run } from '../run-state';

/**
 * Nothing is sent to an upstream for a live task that nobody waits for. The question went out when the task was claimed, so
 * that it is answered while the intent is written; from here on the end of the wait ends the call.
 */
export async function joinListener(run: Run): Promise<Run> {
  if (!run.entry.live) return run;
  const listener = await run.meeting;
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
