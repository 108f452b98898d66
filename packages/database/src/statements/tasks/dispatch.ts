import { awaitKeySlots, findAwaitedKeys, handOverKeySlots } from './key-slots';
import { returnLease, takeLease } from './leases';
import { findWaitingTasks } from './waiting-tasks';

export const DISPATCH_STATEMENTS = {
  awaitKeySlots,
  findAwaitedKeys,
  findWaitingTasks,
  handOverKeySlots,
  returnLease,
  takeLease,
};
