import { keepEnd } from '@mediagate/billing';
import { Linger } from '@mediagate/concurrency';
import { FAULT_TABLE, type Fault } from '@mediagate/contracts';
import type { OutgoingSpeech, SpeechGone } from '@mediagate/speech';
import { chargedEnd } from '../conclude/end-task';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/**
 * A synchronous task without a listener is never sent to an upstream. The worker connects when it has claimed the
 * task, so that the answer arrives while the intent is written. From here on the call ends when the listener leaves, or lingers.
 */
export async function joinListener(run: Run, deps: WorkerDeps): Promise<Run> {
  if (!run.entry.synchronous) return run;
  const listener = await run.openingSpeech;
  if (!listener) return { ...run, outcome: withoutListener('caller_left') };
  if (listener.ended) return { ...run, listener, outcome: withoutListener(listener.ended) };
  const linger = lingerFor(run, listener, deps);
  return { ...run, listener, linger, signal: AbortSignal.any([run.signal, linger.signal]) };
}

/** Nobody learns what the vendor made of a call whose worker ended while it waited for the answer of one who had left. */
const NEVER_LEARNT: Fault = { code: 'outcome_unknown', detail: 'the worker ended after the caller had left' };

function lingerFor(run: Run, listener: OutgoingSpeech, deps: WorkerDeps): Linger {
  const { lingering } = deps;
  const { task, onEnd } = run;
  const { accountId, isTest } = task;
  const linger = new Linger(() => lingering.tryTake({ owner: { accountId, isTest } }));
  const leave = () => {
    if (listener.ended !== 'caller_left') return linger.stop();
    linger.leave();
    if (linger.signal.aborted) return;
    run.keepEnd(keepEnd(chargedEnd(run, { usage: {}, requestIds: [], fault: NEVER_LEARNT }, deps)));
  };
  listener.signal.addEventListener('abort', leave, { once: true });
  onEnd(() => {
    listener.signal.removeEventListener('abort', leave);
    linger.end();
  });
  return linger;
}

/** Before the upstream's first byte. A caller who left pays where the upstream was asked and nobody knows what came of it. */
export function withoutListener(end: SpeechGone, what: { fault?: Fault; requestIds?: string[] } = {}): Outcome {
  const { fault, requestIds = [] } = what;
  switch (end) {
    case 'caller_left':
      return fault !== undefined && FAULT_TABLE[fault.code].quarantine
        ? { kind: 'charged', usage: {}, requestIds, fault }
        : { kind: 'failed', reason: 'caller_left', ...what };
    case 'api_gone':
      return { kind: 'failed', reason: 'internal_error', ...what };
    default:
      return end satisfies never;
  }
}
