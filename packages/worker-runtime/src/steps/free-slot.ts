import type { FreedSlot, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

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
