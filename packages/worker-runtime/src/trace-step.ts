import type { StepEnd, TaskId } from '@mediagate/contracts';
import { continueTrace, inSpan, recordSpan } from '@mediagate/host';
import type { ClaimedTask } from '@mediagate/tasks';
import type { WorkerDeps } from './worker-deps';

/**
 * Takes a step in the trace of its task's submission, whichever process took the steps before it. A step that is cut short is
 * reported while its trace is still under way.
 */
export function traceStep(task: ClaimedTask, step: () => Promise<StepEnd>, deps: WorkerDeps): Promise<StepEnd> {
  return continueTrace(task.traceContext, async () => {
    recordQueueWait(task);
    return inSpan('task.step', { kind: 'consumer', attributes: () => describe(task) }, async (span) => {
      try {
        return await step();
      } catch (error) {
        span.fail('interrupted');
        reportInterrupted(task.id, error, deps);
        return { outcome: 'interrupted', failure: 'interrupted' };
      }
    });
  });
}

export function reportInterrupted(taskId: TaskId, error: unknown, { profile, logger }: WorkerDeps): void {
  logger.error('task.interrupted', { taskId, family: profile.family, error });
}

/** From the submission to the first claim, by the database's clock. Pauses between later steps show as gaps. */
function recordQueueWait({ fence, family, deadlineAt, createdAt, msToDeadline }: ClaimedTask): void {
  if (fence !== 1) return;
  const durationMs = deadlineAt.getTime() - createdAt.getTime() - msToDeadline;
  recordSpan('queue.wait', { durationMs, attributes: () => ({ 'mediagate.family': family }) });
}

function describe({ id, accountId, family, model, fence, lostSteps }: ClaimedTask) {
  return {
    'mediagate.task_id': id,
    'mediagate.account_id': accountId,
    'mediagate.family': family,
    'mediagate.model': model,
    'mediagate.step': fence,
    // Steps before it whose process died.
    'mediagate.lost_steps': lostSteps,
  };
}
