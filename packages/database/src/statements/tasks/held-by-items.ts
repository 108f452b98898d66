import { IS_OPEN } from './task-row';

/**
 * The open tasks among those that the items name, locked in one order, so that batches never wait for each other in a
 * circle. Whether an item still holds its task is for the join with the items to say, by the fence.
 */
export function heldByItems(taskIds: string): string {
  return `select t.id, t.fence from tasks t where t.id = any(${taskIds}::text[]) and ${IS_OPEN} order by t.id for update`;
}
