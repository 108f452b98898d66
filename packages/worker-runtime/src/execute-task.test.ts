import { setImmediate } from 'node:timers/promises';
import { newTaskId } from '@mediagate/contracts';
import type { ClaimOutcome } from '@mediagate/tasks';
import { executeTask } from './execute-task';
import type { WorkerDeps } from './worker-deps';

it('claims a task that becomes due while the claim of an earlier job of it is being refused', async () => {
  const refusals: (() => void)[] = [];
  const claim = () =>
    new Promise<ClaimOutcome>((resolve) => {
      refusals.push(() => resolve({ kind: 'not_claimable' }));
    });
  const deps = { inFlight: new Map(), claim } as unknown as WorkerDeps;
  const job = { v: 1, taskId: newTaskId(), fence: 0 } as const;
  const taken = [executeTask(job, deps), executeTask(job, deps)];
  await setImmediate();
  expect(refusals).toHaveLength(2);
  for (const refuse of refusals) refuse();
  expect(await Promise.all(taken)).toEqual([undefined, undefined]);
});
