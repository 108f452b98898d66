import type { OwnMarkPolicy, PriorityClass } from '@mediagate/contracts';
import { change, noteOf, UNLESS_UNCHANGED, withNote } from '../identity/note';

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

/** `account.suspend`, for the audit log; from which states it leads to which. */
export interface AccountMove {
  action: string;
  from: readonly AccountState[];
  to: AccountState;
}

/** No row: there is no such account, or its state is none of those. */
export const moveAccount = change<[id: string, move: AccountMove]>({
  text: withNote(`
found as materialized (
  select a.id, ${accountSnapshot('a')} as before from accounts a where a.id = $2 for update
),
changed as (
  update accounts a set state = $4 from found f
  where a.id = f.id and a.state = any($3)
  returning a.id as subject, f.before, ${accountSnapshot('a')} as after
)`),
  values: (id, { action, from, to }, request) => [noteOf(action, request), id, from, to],
});

/** Settings to change; undefined ones stay as they are. */
export interface AccountSettings {
  name?: string | undefined;
  /** Limit for all its keys together; null: no limit. */
  submitPerMinute?: number | null | undefined;
  queryPerMinute?: number | null | undefined;
  priorityClass?: PriorityClass | undefined;
  /** Null: as the deployment. */
  marks?: OwnMarkPolicy['marks'] | undefined;
  unmarked?: OwnMarkPolicy['unmarked'] | undefined;
}

/** No row: there is no such account. */
export const changeAccount = change<[id: string, settings: AccountSettings]>({
  text: withNote(
    `
found as materialized (
  select a.id, ${accountSnapshot('a')} as before from accounts a where a.id = $2 for update
),
changed as (
  update accounts a set name = coalesce($3, a.name),
    submit_per_minute = case when $4 then $5::int else a.submit_per_minute end,
    query_per_minute = case when $6 then $7::int else a.query_per_minute end,
    priority_class = coalesce($8, a.priority_class),
    marks = case when $9 then $10 else a.marks end,
    unmarked = case when $11 then $12 else a.unmarked end
  from found f
  where a.id = f.id
  returning a.id as subject, f.before, ${accountSnapshot('a')} as after
)`,
    UNLESS_UNCHANGED,
  ),
  values: (id, { name, submitPerMinute, queryPerMinute, priorityClass, marks, unmarked }, request) => [
    noteOf('account.update', request),
    id,
    name ?? null,
    submitPerMinute !== undefined,
    submitPerMinute ?? null,
    queryPerMinute !== undefined,
    queryPerMinute ?? null,
    priorityClass ?? null,
    marks !== undefined,
    marks ?? null,
    unmarked !== undefined,
    unmarked ?? null,
  ],
});

interface AccountToOpen {
  id: string;
  name: string;
  webhookSecret: string;
  /** Default: normal. */
  priorityClass?: PriorityClass | undefined;
}

export const openAccount = change<[account: AccountToOpen]>({
  text: withNote(`
opened as (
  insert into accounts as a (id, name, webhook_secret, priority_class) values ($2, $3, $4, $5) returning a.id, ${accountSnapshot('a')} as after
),
changed as (
  select id as subject, null::jsonb as before, after from opened
)`),
  values: ({ id, name, webhookSecret, priorityClass = 'normal' }, request) => [
    noteOf('account.create', request),
    id,
    name,
    webhookSecret,
    priorityClass,
  ],
});
