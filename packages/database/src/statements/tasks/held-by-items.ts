import { IS_OPEN } from './task-row';

/**
 * The open tasks among those that the items name, locked in one order, so that batches never wait for each other in a
 * circle. Whether an item still holds its task is for the join with the items to say, by the fence. A lock that was waited for
 * finds a row newer than the statement: what decides is read here, not from the table again.
 */
export function heldByItems(taskIds: string): string {
  return `select t.id, t.fence, t.attempt_id, t.attempt_state from tasks t where t.id = any(${taskIds}::text[]) and ${IS_OPEN} order by t.id for update`;
}
