import { IS_OPEN } from './task-row';

/**
 * The items of `item` whose tasks are open, each with what its task has, whose rows are locked in one order, so that batches never
 * wait for each other in a circle. Whether an item still holds its task is for the statement to say, by `present_fence`. A lock that
 * was waited for finds a row newer than the statement: what decides is read here, not from the table again.
 *
 * Items come along, so that nothing joins them again: planned for a row or two, such a join compares each of a batch with each.
 */
export const HELD_BY_ITEMS = `select i.*, t.id, t.fence as present_fence, t.attempt_id as present_attempt, t.attempt_state
  from tasks t join item i on i.task_id = t.id where ${IS_OPEN} order by t.id for update of t`;
