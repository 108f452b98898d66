import { setImmediate } from 'node:timers/promises';
import { newTaskId } from '@mediagate/contracts';
import { DatabaseUnavailableError } from '@mediagate/database';
import { executeTask } from './execute-task';
import type { WorkerDeps } from './worker-deps';

it('claims a task that becomes due while the claim of an earlier job of it is being refused', async () => {
  const refusals: (() => void)[] = [];
  const claimTask = () =>
    new Promise<undefined>((resolve) => {
      refusals.push(() => resolve(undefined));
    });
  const database = { claimTask, findEarlyTask: async () => undefined };
  const deps = { inFlight: new Map(), database } as unknown as WorkerDeps;
  const job = { v: 1, taskId: newTaskId(), fence: 0 } as const;
  const taken = [executeTask(job, deps), executeTask(job, deps)];
  await setImmediate();
  expect(refusals).toHaveLength(2);
  for (const refuse of refusals) refuse();
  expect(await Promise.all(taken)).toEqual([undefined, undefined]);
});

it('claims no task that another job of it has got while the database was away: its lease may lapse before its result is written', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const claimTask = jest.fn(() => Promise.reject(new DatabaseUnavailableError(new Error('away'))));
    const inFlight = new Map();
    const job = { v: 1, taskId: newTaskId(), fence: 0 } as const;
    const taken = executeTask(job, { inFlight, database: { claimTask } } as unknown as WorkerDeps);
    await setImmediate();
    inFlight.set(job.taskId, { ...job });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await taken).toBeUndefined();
    expect(claimTask).toHaveBeenCalledTimes(1);
  } finally {
    jest.useRealTimers();
  }
});
