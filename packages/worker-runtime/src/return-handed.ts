import type { HandedOver, HandedTask } from '@mediagate/streams';
import type { WorkerDeps } from './worker-deps';

/** Withdraws the intent of a task that this process can do nothing with, so that it goes by the queue as any other. */
export async function returnHanded(
  { taskId, fence, attemptId, family }: HandedTask,
  { connection }: HandedOver,
  { writes, queue, inFlight, logger }: Pick<WorkerDeps, 'writes' | 'queue' | 'inFlight' | 'logger'>,
): Promise<void> {
  const detail = 'its model or its channel is gone';
  const withdrawal = { attemptId, isStage: false, isSentAgain: false, fault: 'not_accepted', detail } as const;
  const next = await writes.withdrawAttempt({ id: taskId, fence }, withdrawal);
  const listener = await connection.open({ taskId, fence, signal: new AbortController().signal });
  if (next === undefined) return listener?.lost();
  inFlight.delete(taskId);
  await listener?.released();
  try {
    await queue.enqueueTask({ taskId, family, fence: next });
  } catch (error) {
    // The reconciler finds the row when it is due.
    logger.warn('task.enqueue_failed', { taskId, error });
  }
}
