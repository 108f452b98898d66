import type { Callbacks } from './callbacks';
import { type ListedDelivery, readListed } from './listed-delivery';

/** Finds a delivery by its id or that of its task, with its attempts in order. A task has one delivery at most. */
export async function findDelivery(
  { database }: Pick<Callbacks, 'database'>,
  named: { id: string } | { taskId: string },
): Promise<ListedDelivery | undefined> {
  const [found] = await readListed(database, named);
  return found;
}
