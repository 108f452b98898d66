import type { Channel } from '@mediagate/settings';
import type { Adapter } from '@mediagate/upstreams';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/** When a call that is kept back for a suspect is tried again. */
export const KEPT_BACK_MS = 3000;

/** Whether a start there would be kept back now. */
export function isKeptBack(run: Run, { protocol }: Channel, { gate, adapters }: WorkerDeps): boolean {
  const adapter = adapters.get(protocol);
  return gate.isClosed && adapter !== undefined && isUnrepeatable(run, adapter);
}

/** False: it is kept back. Else no suspect has its turn until the outcome of this step is written down. */
export function keepSuspectsOff(run: Run, adapter: Adapter, { gate }: WorkerDeps): boolean {
  if (!isUnrepeatable(run, adapter)) return true;
  const leave = gate.enter();
  if (leave) run.onEnd(leave);
  return leave !== undefined;
}

/** A death would leave the outcome of a start unknown. A caller who waits for the answer is not kept waiting: it breaks off as at any death. */
function isUnrepeatable({ entry, isAlone }: Run, { afterLostAnswer }: Adapter): boolean {
  return afterLostAnswer === 'never' && !entry.synchronous && !isAlone;
}
