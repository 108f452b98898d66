import { annotate } from '@mediagate/host';
import type { Run } from './run-state';
import type { WorkerDeps } from './worker-deps';

/** Counts the step, and writes what came of it to the log and to the trace under way. */
export function reportStep(run: Run, durationMs: number, deps: WorkerDeps): void {
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
}
