import { returnLease, takeLease } from './leases';
import { findWaitingTasks } from './waiting-tasks';

/** What the dispatcher alone uses. */
export const DISPATCH_STATEMENTS = { findWaitingTasks, returnLease, takeLease };
