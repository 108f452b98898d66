import { timeOrderedId } from '@mediagate/contracts';
import type { AttemptBegin } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';
import { isOutage, outliveOutage } from '../outage';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { AT_CAPACITY, candidatesOf, KEPT_BACK_MS, keepSuspectsOff, pacedFor, withoutChannel } from './await-channel';
import { adapterOf } from './bar-unfit-channels';
import { isCarriedTo } from './carry-media';
import { unsent } from './refusal';

/** A channel that leads elsewhere by now: until this process has heard of it. */
const FOLLOW_MS = 2000;

/**
 * Chooses a channel and writes down the intent to use it, before anything is sent. A channel that is full is passed over;
 * when all are, or the one that is out of order is just being probed, the task waits without a mark against it. One whose
 * vendor has throttled is passed over until it is the task's turn, and one that the task's files were not brought for until
 * the next step.
 */
export async function beginAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  if (run.current) return run;
  const { task } = run;
  const candidates = candidatesOf(run, deps);
  const waitsMs: number[] = [];
  for (const channel of candidates) {
    const adapter = adapterOf(channel, deps);
    const { id: channelId, protocol, maxConcurrency } = channel;
    if (!isCarriedTo(channel, run, deps)) {
      waitsMs.push(deps.paces.waitMs(channelId));
      continue;
    }
    if (!keepSuspectsOff(run, adapter, deps)) {
      waitsMs.push(KEPT_BACK_MS);
      continue;
    }
    // A synchronous task ends with its step; any other goes on where it was sent, whatever becomes of the channel.
    const destination = run.entry.synchronous ? null : await deps.channelBook.remember(channel, task.model);
    const waitMs = destination === undefined ? FOLLOW_MS : await takeTurn(run, channel, deps);
    if (waitMs === 'full') continue;
    if (destination === undefined || waitMs > 0) {
      waitsMs.push(waitMs);
      continue;
    }
    const attemptId = `att_${timeOrderedId()}`;
    const attempt = { attemptId, channelId, protocol, destination, maxConcurrency };
    const begun = await writeIntent(run, attempt, deps);
    const begunRun = { ...run, current: { id: attemptId, channel, adapter } };
    if (begun === 'begun') return begunRun;
    if (begun === 'unknown') return { ...begunRun, outcome: unsent('nobody knew whether its intent was written') };
    if (begun === 'lost') return { ...run, outcome: { kind: 'lost' } };
  }
  // The last that could have been tried may have been barred by what the files turned out to be.
  if (candidates.length === 0) return { ...run, outcome: withoutChannel(run, deps) };
  return { ...run, outcome: waitsMs.length > 0 ? pacedFor(waitsMs) : AT_CAPACITY };
}

/** An intent that may be written and is not followed by its call would be taken for one that is. `unknown`: it may come late, too. */
async function writeIntent(
  { task, stillLeased }: Run,
  attempt: AttemptBegin,
  { writes }: WorkerDeps,
): Promise<'begun' | 'at_capacity' | 'lost' | 'unknown'> {
  try {
    return await outliveOutage(() => writes.beginAttempt(task, attempt), { isWorthRetrying: stillLeased });
  } catch (error) {
    if (isOutage(error)) return 'unknown';
    throw error;
  }
}

/** Milliseconds until the next start there; 0: it is this task's. A turn taken and not used would be lost to tasks with a slot. */
async function takeTurn({ task }: Run, channel: Channel, { paces, writes }: WorkerDeps): Promise<number | 'full'> {
  const { id: channelId, maxConcurrency } = channel;
  const waitMs = paces.waitMs(channelId);
  if (waitMs > 0) return waitMs;
  const isTurnScarce = paces.isPaced(channelId) && maxConcurrency !== undefined;
  if (isTurnScarce && !(await writes.hasSlot(task, [{ channelId, maxConcurrency }]))) return 'full';
  return paces.takeStart(channelId);
}
