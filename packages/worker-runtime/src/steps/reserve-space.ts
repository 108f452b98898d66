import { isAccepted, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { FILES_BUSY } from './load-media';
import { MOST_OUTPUTS } from './mirror-outputs';

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
