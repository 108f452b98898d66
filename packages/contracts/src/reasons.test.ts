import { ERROR_TABLE, FAULT_TABLE, REASONS, TASK_FAILURE_REASONS } from './index';

it('every reason can be met, in an answer or in a failed task', () => {
  const inAnswers = Object.values(ERROR_TABLE).flatMap(({ reasons }) => [...reasons]);
  const met = new Set<string>([...inAnswers, ...TASK_FAILURE_REASONS]);
  expect(Object.keys(REASONS).filter((reason) => !met.has(reason))).toEqual([]);
});

it('every fault of an upstream ends a task for a reason that tasks have', () => {
  for (const { reason } of Object.values(FAULT_TABLE)) expect(TASK_FAILURE_REASONS).toContain(reason);
});
