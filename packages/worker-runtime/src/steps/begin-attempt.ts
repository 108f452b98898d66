import { timeOrderedId } from '@mediagate/contracts';
import { outliveOutage } from '../outage';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { AT_CAPACITY, candidatesOf, pacedFor, withoutChannel } from './await-channel';
import { adapterOf } from './bar-unfit-channels';

/**
 * Chooses a channel and writes down the intent to use it, before anything is sent. A channel that is full is passed over;
 * when all are, or the one that is out of order is just being probed, the task waits without a mark against it. One whose
 * vendor has throttled is passed over until it is the task's turn.
 */
export async function beginAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  if (run.current) return run;
  const { task } = run;
  const candidates = candidatesOf(run, deps);
  const waitsMs: number[] = [];
  for (const channel of candidates) {
    const adapter = adapterOf(channel, deps);
    const { id: channelId, protocol, maxConcurrency } = channel;
    const waitMs = await deps.paces.takeStart(channelId);
    if (waitMs > 0) {
      waitsMs.push(waitMs);
      continue;
    }
    // What it accepts must be asked for, whatever becomes of the file.
    if (adapter.check) await deps.channelBook.remember(channelId);
    const attemptId = `att_${timeOrderedId()}`;
    const attempt = { attemptId, channelId, protocol, maxConcurrency };
    // An intent that may be written and is not followed by its call would be taken for one that is.
    const begun = await outliveOutage(() => deps.writes.beginAttempt(task, attempt), {
      isWorthRetrying: run.stillLeased,
    });
    if (begun === 'begun') return { ...run, current: { id: attemptId, channel, adapter } };
    if (begun === 'lost') return { ...run, outcome: { kind: 'lost' } };
  }
  // The last that could have been tried may have been barred by what the files turned out to be.
  if (candidates.length === 0) return { ...run, outcome: withoutChannel(run, deps) };
  return { ...run, outcome: waitsMs.length === candidates.length ? pacedFor(waitsMs) : AT_CAPACITY };
}
