import type { Nano, OwnMarkPolicy, PriorityClass } from '@mediagate/contracts';
import { type Scanned, scanned } from '../../page';
import type { Statement } from '../../statement';
import type { AccountState } from './accounts';

/** Selects accounts; a null `state` stands for any. */
export interface AccountSearch {
  /** Ids below this one, */
  before: string;
  /** and not below this one. */
  from: string;
  /** Accounts that one page looks at. */
  scanRows: number;
  limit: number;
  state: AccountState | null;
}

export interface AccountRow extends OwnMarkPolicy {
  id: string;
  name: string;
  state: AccountState;
  toppedUpNano: Nano;
  heldNano: Nano;
  settledNano: Nano;
  /** Limit for all its keys together; null: no limit. */
  submitPerMinute: number | null;
  queryPerMinute: number | null;
  priorityClass: PriorityClass;
  createdAt: Date;
}

const COLUMNS = `a.id, a.name, a.state, a.topped_up_nano as "toppedUpNano", a.held_nano as "heldNano",
  a.settled_nano as "settledNano", a.submit_per_minute as "submitPerMinute", a.query_per_minute as "queryPerMinute", a.priority_class as "priorityClass",
  a.marks, a.unmarked, a.created_at as "createdAt"`;

function foundBy<Own extends string[]>(
  source: string,
  { isWanted = 'true', ...orders }: { isWanted?: string; order?: string; foundOrder?: string } = {},
): Statement<[search: AccountSearch, ...own: Own], Scanned<AccountRow>> {
  const row = `
    select ${COLUMNS} from accounts a where a.id = c.id and a.id < $1 and a.id >= $2 and ($5::text is null or a.state = $5)
      and ${isWanted}`;
  return {
    text: scanned({ source, row, ...orders, limit: '$4', rows: '$3' }),
    values: ({ before, from, scanRows, limit, state }, ...own) => [before, from, scanRows, limit, state, ...own],
  };
}

/** The newest first. */
export const listAccounts = foundBy(`
  select a.id from accounts a where a.id < $1 and a.id >= $2 order by a.id desc limit $3`);

/** The same of a state that few accounts have: all but `active`. */
export const listAccountsOfState = foundBy(`
  select a.id from accounts a
  where (a.state, a.id) < ($5, $1) and (a.state, a.id) >= ($5, $2) and a.state <> 'active'
  order by a.state desc, a.id desc limit $3`);

/** Lists accounts whose names have a text in them, in any letter case, by name: after the account of that id, or from the first. */
export const listAccountsByName = foundBy<[text: string, after: string]>(
  `
  select a.id, lower(a.name) collate "C" as name from accounts a
  where (lower(a.name) collate "C", a.id) > (
      case when $7 = '' then '' else (select lower(o.name) from accounts o where o.id = $7) end, $7
    )
  order by lower(a.name) collate "C", a.id limit $3`,
  {
    isWanted: 'position(lower($6) in lower(a.name)) > 0',
    order: 'c.name, c.id',
    foundOrder: 'lower(f.name) collate "C", f.id',
  },
);

/** Finds some of these accounts whose rows nobody has locked. The statement locks those while it runs, and waits for no row. */
export const findFreeAccounts: Statement<[ids: readonly string[]], { id: string }> = {
  text: 'select id from accounts where id = any($1::text[]) limit 64 for update skip locked',
  values: (ids) => [ids],
};
