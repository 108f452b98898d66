import { endedText } from './task-text';

const TASK = { id: 'task_1', account_id: 'acct_1' } as const;

it('says of a task that an operator ended what it gave back, which is not all where it was settled', () => {
  const texts = [
    endedText({ ...TASK, status: 'failed', reservation: { amount: 3, settled: null } }),
    endedText({ ...TASK, status: 'completed', reservation: { amount: 3, settled: 2.9 } }),
  ];
  expect(texts).toEqual([
    'task task_1 has failed; 3 refunded to account acct_1',
    'task task_1 has completed; 0.1 refunded to account acct_1',
  ]);
});
