import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

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
