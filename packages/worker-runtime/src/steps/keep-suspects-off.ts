import type { Adapter } from '@mediagate/upstreams';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** The pause before a start that is kept back for a suspect is tried again. */
export const KEPT_BACK_MS = 3000;

/** Whether a start by this adapter would be kept back now. */
export function isKeptBack(run: Run, adapter: Adapter, { gate }: WorkerDeps): boolean {
  return gate.isClosed && isUnrepeatable(run, adapter);
}

/** Keeps suspects from their turn until the outcome of this step is written down, or answers false: the start is kept back for one. */
export function keepSuspectsOff(run: Run, adapter: Adapter, { gate }: WorkerDeps): boolean {
  if (!isUnrepeatable(run, adapter)) return true;
  const leave = gate.enter();
  if (leave) run.onEnd(leave);
  return leave !== undefined;
}

/**
 * The outcome of a start would stay unknown if the process died. Starts of synchronous tasks are never kept back: their callers do not wait
 * for a suspect, and learn of a death by the broken connection.
 */
function isUnrepeatable({ entry, isAlone }: Run, { afterLostAnswer }: Adapter): boolean {
  return afterLostAnswer === 'never' && !entry.synchronous && !isAlone;
}
