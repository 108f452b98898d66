import { isTerminal, nanoToDecimal, nanoToNumber, type TaskId } from '@mediagate/contracts';
import { type Cancellation, cancelTask } from '@mediagate/tasks';
import { audited } from '../audited';
import { openCallbacks } from '../open-callbacks';
import { tryConfiguration } from '../open-configuration';
import { openTasks } from '../open-tasks';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';

/** As its account would by the API: an upstream that has the job is asked to stop, by the task's worker. */
export async function cancel(session: Session, id: TaskId): Promise<Answer> {
  const tasks = openTasks(session, openCallbacks(session, await session.openDatabase()), () =>
    tryConfiguration(session),
  );
  const found = await tasks.database.readTask(id);
  if (found && isTerminal(found.status)) throw new Refusal(hasEnded(id, found.status));
  const { reservedNano, accountId } = await audited(
    session,
    tasks.database,
    { name: 'task.cancel', subject: id },
    async () => {
      const outcome = await cancelTask(tasks, id, {
        signal: new AbortController().signal,
        takeSlot: () => () => undefined,
      });
      if (!outcome) throw new Refusal(unknown(id));
      if (outcome.kind === 'cancelled') return outcome.task;
      throw new Refusal(NOT_CANCELLED[outcome.kind].replace('{id}', id));
    },
  );
  return {
    json: { id, status: 'failed', released: nanoToNumber(reservedNano) },
    text: `task ${id} is cancelled; ${nanoToDecimal(reservedNano)} refunded to account ${accountId}`,
  };
}

const NOT_CANCELLED: Readonly<Record<Exclude<Cancellation['kind'], 'cancelled'>, string>> = {
  ended: 'task {id} has ended, and a task that has ended never changes',
  started: 'an upstream works on task {id} and cannot be stopped; `task fail` refunds it all the same',
  requested: 'the worker of task {id} has not answered within 10 s: the cancellation may still take effect',
};

function unknown(id: TaskId): string {
  return `there is no task ${id}`;
}

function hasEnded(id: TaskId, status: string): string {
  return `task ${id} has ended (${status}), and a task that has ended never changes`;
}
