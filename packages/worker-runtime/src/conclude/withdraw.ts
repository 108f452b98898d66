import { enqueueReturned } from '../leave-unknown';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { type Concluded, enqueueQuietly, LOST, type OutcomeOf } from './concluded';

/** Only this worker knows that its intent was not sent: whoever holds the task, it is due again without it. */
export async function withdraw(
  run: Run,
  { isStage, fault }: OutcomeOf<'unsent'>,
  deps: WorkerDeps,
): Promise<Concluded> {
  const { current, task } = run;
  if (!current) throw new Error('nothing was to be sent');
  const { id: attemptId, adapter, channel } = current;
  const isSentAgain = adapter.afterLostAnswer !== 'never';
  const { code, detail } = fault;
  const fence = await deps.writes.withdrawAttempt(task, { attemptId, isStage, isSentAgain, fault: code, detail });
  if (fence === undefined) return LOST;
  if (!isStage) await enqueueQuietly(deps.channelSlots.freed(channel), run, deps);
  await enqueueReturned({ ...task, fence }, 0, deps);
  return { kind: 'goes_on' };
}
