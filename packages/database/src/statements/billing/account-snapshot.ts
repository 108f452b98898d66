import type { OwnMarkPolicy, PriorityClass } from '@mediagate/contracts';

/** An account's row `alias` as JSON, for the audit log and for whoever changed it. Amounts in nano-units, as decimal text. */
export const accountSnapshot = (alias: string): string => `jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name,
    'state', ${alias}.state, 'balance', (${alias}.topped_up_nano - ${alias}.held_nano - ${alias}.settled_nano)::text,
    'held', ${alias}.held_nano::text, 'settled', ${alias}.settled_nano::text, 'submitPerMinute', ${alias}.submit_per_minute,
    'queryPerMinute', ${alias}.query_per_minute, 'priorityClass', ${alias}.priority_class,
    'marks', ${alias}.marks, 'unmarked', ${alias}.unmarked, 'createdAt', ${alias}.created_at)`;

export type AccountState = 'active' | 'suspended' | 'closed';

export type AccountSnapshot = OwnMarkPolicy & {
  id: string;
  name: string;
  state: AccountState;
  balance: string;
  held: string;
  settled: string;
  submitPerMinute: number | null;
  queryPerMinute: number | null;
  priorityClass: PriorityClass;
  /** ISO 8601. */
  createdAt: string;
};
