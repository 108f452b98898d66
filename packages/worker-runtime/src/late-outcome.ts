import type { Usage } from '@mediagate/contracts';
import { attemptCost } from './attempt-end';
import type { Run } from './run-state';
import type { WorkerDeps } from './worker-deps';

/** After its claim was lost, a worker still records in the attempt what it used and what was accepted. */
export async function recordLate(
  run: Run,
  { usage, externalId }: { usage?: Usage | undefined; externalId?: string | undefined },
  deps: WorkerDeps,
): Promise<void> {
  if (!run.current) return;
  const cost = usage && attemptCost(run, usage);
  await deps.writes.recordLateOutcome(run.current.id, {
    usage,
    cost,
    externalId,
    detail: lateDetail(usage, externalId),
  });
}

function lateDetail(usage: Usage | undefined, externalId: string | undefined): string {
  if (usage !== undefined) return 'a result came after the task had ended';
  return externalId === undefined ? 'the claim was lost' : 'accepted after the claim was lost';
}
