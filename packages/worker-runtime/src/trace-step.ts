import type { StepEnd, TaskId } from '@mediagate/contracts';
import { annotate, continueTrace, inSpan, recordSpan } from '@mediagate/host';
import type { ClaimedTask } from '@mediagate/tasks';
import type { Concluded } from './conclude/end-task';
import { ageMs } from './pauses';
import type { Run } from './run-state';
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
function recordQueueWait(task: ClaimedTask): void {
  if (task.fence !== 1) return;
  recordSpan('queue.wait', { durationMs: ageMs(task), attributes: () => ({ 'mediagate.family': task.family }) });
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

/** Counts the step, and writes what came of it to the log and to the trace under way. Returns it for the board. */
export function reportStep(
  run: Run,
  { concluded, durationMs }: { concluded: Concluded; durationMs: number },
  deps: WorkerDeps,
): StepEnd {
  const { task, current, outcome } = run;
  const labels = { family: task.family, outcome: outcome?.kind ?? 'none' };
  deps.metrics.steps.inc(labels);
  deps.metrics.stepSeconds.observe(labels, durationMs / 1000);
  const fault = outcome && 'fault' in outcome ? outcome.fault : undefined;
  annotate(() => ({
    'mediagate.outcome': labels.outcome,
    ...(current ? { 'mediagate.attempt_id': current.id, 'mediagate.channel': current.channel.id } : {}),
    ...(fault ? { 'mediagate.fault': fault.code } : {}),
  }));
  deps.logger.info('task.attempted', {
    taskId: task.id,
    accountId: task.accountId,
    family: task.family,
    model: task.model,
    outcome: labels.outcome,
    durationMs: Math.round(durationMs),
    ...(current ? { attemptId: current.id, channelId: current.channel.id } : {}),
    ...(fault ? { fault: fault.code, detail: fault.detail } : {}),
  });
  if (concluded === 'lost') return { outcome: 'lost', failure: 'lost' };
  return { outcome: labels.outcome, failure: outcome?.kind === 'failed' ? outcome.reason : fault?.code };
}
