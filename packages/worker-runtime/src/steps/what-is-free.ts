import { type FreedSlot, isAccepted, type Outcome, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { FILES_BUSY } from './load-media';
import { MOST_OUTPUTS } from './mirror-outputs';

const TESTS_BUSY: Outcome = { kind: 'no_channel', reason: 'tests_busy' };

/**
 * Begins a test task only within the part of this process that test work has, until the step is over: a vendor's answer to a start may take
 * minutes, and however many tests wait for one, slots are left for paid work. A test task that is under way goes on.
 */
export async function yieldToPaid(run: Run, { slots }: Pick<WorkerDeps, 'slots'>): Promise<Run> {
  const { task } = run;
  if (!task.isTest || task.attempt !== undefined || run.inDoubt) return run;
  const slot = slots.starts.tryTake({ owner: task });
  if (slot === undefined) return { ...run, outcome: TESTS_BUSY };
  run.onEnd(slot.release);
  return run;
}

/**
 * Takes space for what the vendor's answer may hold before the vendor is asked: beyond it tasks wait in their rows, however many the worker
 * may have in flight. An attempt in doubt must be resolved, even without space.
 */
export async function reserveSpace(run: Run, { profile }: WorkerDeps): Promise<Run> {
  const { bytesPerOutput } = profile;
  if (bytesPerOutput === undefined || isAccepted(run) || run.inDoubt) return run;
  const outputs = Math.min(run.entry.outputsAsked(run.task.input) ?? 1, MOST_OUTPUTS);
  return run.files.tryReserve(outputs * bytesPerOutput) ? run : { ...run, outcome: FILES_BUSY };
}

/**
 * The vendor is done with the job: its channel's slot goes to the next task while this one's result is fetched, stored and booked. What
 * a limit of a channel bounds is the work at its vendor; results in this process's memory are bounded by its own slots.
 */
export async function freeSlot(run: Run, { channelSlots, logger }: WorkerDeps): Promise<Run> {
  const { produced, current, task } = run;
  if (!produced || !current) return run;
  const freedSlot: FreedSlot = { isHandedOver: false };
  channelSlots.answered(current.channel, { attemptId: current.id, fence: task.fence }).then(
    (isHandedOver) => {
      freedSlot.isHandedOver = isHandedOver;
    },
    (error) => logger.warn('task.enqueue_failed', { taskId: task.id, error }),
  );
  return { ...run, freedSlot };
}
