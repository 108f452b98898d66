import type { StepEnd } from '@mediagate/contracts';
import { annotate } from '@mediagate/host';
import type { OutgoingSpeech } from '@mediagate/speech';
import type { Concluded } from './conclude/concluded';
import type { Run } from './run-state';
import type { WorkerDeps } from './worker-deps';

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
  if (concluded.kind === 'lost') return { outcome: 'lost', failure: 'lost' };
  return { outcome: labels.outcome, failure: outcome?.kind === 'failed' ? outcome.reason : fault?.code };
}

/** Reports the end of a synchronous task to its listener, only after it was written to the database. */
export function reportToListener(listener: OutgoingSpeech | undefined, { kind }: Concluded): void {
  if (kind === 'lost') listener?.breakOff();
  else listener?.end(kind === 'completed' ? 'settled' : kind);
}
