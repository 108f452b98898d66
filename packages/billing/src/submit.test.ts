import { newTally } from '@mediagate/concurrency';
import { newTaskId } from '@mediagate/contracts';
import { type Database, DatabaseBusyError, DatabaseConflictError } from '@mediagate/database';
import type { Submission } from './submission';
import { createSubmitter } from './submit';

const HELD = new DatabaseConflictError(new Error('lock timeout'));

/** A database whose accounts are all held until `letGo`: statements that wait for one alone wait for that, others fail. */
function openHeld() {
  const alone = newTally();
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const submitTasks: Database['submitTasks'] = async (items, _payloads, { lockWaitMs }) => {
    if (lockWaitMs < 1000) throw HELD;
    await released;
    return items.map(() => ({ decision: 'accepted' }) as never);
  };
  const tally = (name: string) => (name === 'lone_submissions' ? alone : newTally());
  const database = { submitTasks, holdTasks: submitTasks, tally } as unknown as Database;
  return { submit: createSubmitter(database), alone, letGo };
}

const submissionOf = (accountId: string) =>
  ({ taskId: newTaskId(), accountId, rates: {}, warnings: [] }) as unknown as Submission;

afterEach(() => jest.restoreAllMocks());

it('a submission that waited for its turn alone for as long as one may is refused as busy, and the next ones are decided', async () => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const { submit, alone, letGo } = openHeld();
  const first = [submit(submissionOf('one')), submit(submissionOf('two'))];
  const third = submit(submissionOf('three'));
  while (alone.items < 2 || alone.waiting < 1) await new Promise((resolve) => setImmediate(resolve));
  limit.abort(new DOMException('the time is over', 'TimeoutError'));
  await expect(third).rejects.toBeInstanceOf(DatabaseBusyError);
  expect(timeout).toHaveBeenCalledWith(5000);

  timeout.mockReturnValue(new AbortController().signal);
  const fourth = submit(submissionOf('four'));
  letGo();
  expect(await Promise.all([...first, fourth])).toEqual(Array(3).fill({ kind: 'accepted' }));
});
