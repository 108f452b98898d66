import { NEXT_ACTIONS } from '@mediagate/contracts';
import { IS_CONTINUED } from './find-source';

const OPERATIONS = Object.keys(NEXT_ACTIONS).map((operation) => `'${operation}'`);

/**
 * Whether an upstream has the job of the row `t` and waits for its caller's next action, which has not been taken. Null for all other
 * operations, which cost nothing.
 */
export const AWAITS_CALLER = `case when t.operation in (${OPERATIONS.join()}) then
    t.status = 'pending' and t.attempt_state is not distinct from 'accepted' and not (${IS_CONTINUED}) end`;

export const AWAITS_CALLER_COLUMN = `${AWAITS_CALLER} as "awaitsCaller"`;
