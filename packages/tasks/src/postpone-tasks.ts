import { createBatcher, type Database, type TaskToPostpone } from '@mediagate/database';
import { MAX_BATCH_ITEMS, MAX_WAITING_ITEMS } from './batch-limits';

/** Puts off the next step of tasks in flight; what is put off at the same time shares one statement. False: no longer leased. */
export function createPostponer(database: Database): (task: TaskToPostpone) => Promise<boolean> {
  return createBatcher<TaskToPostpone, boolean>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('postponements'),
    run: async (items) => {
      const held = new Set((await database.postponeTasks(items)).map(({ id }) => id));
      return items.map(({ task }) => held.has(task.id));
    },
  });
}
