import {
  type JsonObject,
  type Nano,
  nanoToNumber,
  type PriorityClass,
  timeOrderedId,
  unixSeconds,
} from '@mediagate/contracts';
import {
  type AccountRow,
  type AccountSnapshot,
  type AccountState,
  type ChangeOutcome,
  type ChangeRequest,
  type Database,
  type Page,
  readPage,
} from '@mediagate/database';

export interface AccountSummary extends Omit<AccountRow, 'toppedUpNano'> {
  balanceNano: Nano;
}

export interface NewAccount {
  name: string;
  /** `whsec_…`; signs the account's callbacks. */
  webhookSecret: string;
  /** Default: normal. */
  priorityClass?: PriorityClass | undefined;
}

/** Nobody's wish: demonstrations, and tests. */
const SYSTEM: ChangeRequest = { actor: 'system' };

export function openAccount(database: Database, account: NewAccount, request: ChangeRequest): Promise<ChangeOutcome> {
  const id = `acct_${timeOrderedId()}`;
  return database.openAccount({ id, ...account }, request);
}

export async function createAccount(database: Database, account: NewAccount): Promise<{ id: string }> {
  const outcome = await openAccount(database, account, SYSTEM);
  if (outcome.kind !== 'changed') throw new Error(`an account was not opened: ${outcome.kind}`);
  return { id: outcome.row.subject };
}

/**
 * Submissions and uploads are refused from now on; what has begun goes on and is settled. `unchanged`, here and below: there is no
 * such account, or its state does not allow it.
 */
export function suspendAccount(database: Database, id: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return database.moveAccount(id, { action: 'account.suspend', from: ['active'], to: 'suspended' }, request);
}

export function resumeAccount(database: Database, id: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return database.moveAccount(id, { action: 'account.resume', from: ['suspended'], to: 'active' }, request);
}

/** Closes an account for good: neither work nor payments come in, and the balance stays. What has begun goes on and is settled. */
export function closeAccount(database: Database, id: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return database.moveAccount(id, { action: 'account.close', from: ['active', 'suspended'], to: 'closed' }, request);
}

/** Reads an account as it stood when it was changed. */
export function accountOf(snapshot: AccountSnapshot): AccountSummary {
  const { balance, held, settled, createdAt, ...same } = snapshot;
  return {
    ...same,
    balanceNano: BigInt(balance),
    heldNano: BigInt(held),
    settledNano: BigInt(settled),
    createdAt: new Date(createdAt),
  };
}

export async function readAccount(database: Database, id: string): Promise<AccountSummary | undefined> {
  const row = await database.account.findUnique({ where: { id } });
  return row === null ? undefined : toSummary(row);
}

export interface AccountQuery {
  /** A part of its name, in any letter case, or how its id begins. */
  text?: string | undefined;
  state?: AccountState | undefined;
  /** The id of the last account of the page before. */
  before?: string | undefined;
  limit: number;
}

/** Accounts that a page looks at; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5_000;
const ID_PREFIX = 'acct_';
const ID_CHARACTERS = ID_PREFIX.length + 26;
/** Above every id. */
const ABOVE_ALL = ID_PREFIX.padEnd(ID_CHARACTERS + 1, 'z');

/** The newest first; of a part of names by name. However many accounts there are, a page is a short scan of one index. */
export async function listAccounts(database: Database, query: AccountQuery): Promise<Page<AccountSummary, string>> {
  const { rows, next } = await readPage(query.limit, (limit) => findAccounts(database, { ...query, limit }));
  return { rows: rows.map(toSummary), next };
}

function findAccounts(database: Database, { text = '', state = undefined, before, limit }: AccountQuery) {
  const search = { scanRows: SCAN_MAX_ROWS, limit, state: state ?? null };
  const isId = text.startsWith(ID_PREFIX);
  if (text !== '' && !isId) {
    return database.listAccountsByName({ ...search, before: ABOVE_ALL, from: '' }, text, before ?? '');
  }
  const last = isId ? text.padEnd(ID_CHARACTERS + 1, 'z') : ABOVE_ALL;
  const range = { from: isId ? text : '', before: before !== undefined && before < last ? before : last };
  if (state === undefined || state === 'active') return database.listAccounts({ ...search, ...range });
  return database.listAccountsOfState({ ...search, ...range });
}

/** Undefined: there is no such key. */
export async function findAccountOfKey(database: Database, keyId: string): Promise<AccountSummary | undefined> {
  const key = await database.apiKey.findUnique({ where: { id: keyId }, select: { account: true } });
  return key === null ? undefined : toSummary(key.account);
}

type Known = 'state' | 'priorityClass' | 'marks' | 'unmarked';
/** Checks of the table hold texts to what is known. */
type AccountColumns = Omit<AccountRow, Known> & { [Column in Known]: string | Extract<AccountRow[Column], null> };

function toSummary(row: AccountColumns): AccountSummary {
  const { id, name, toppedUpNano, heldNano, settledNano, submitPerMinute, queryPerMinute, createdAt } = row;
  return {
    id,
    name,
    state: row.state as AccountState,
    balanceNano: toppedUpNano - heldNano - settledNano,
    heldNano,
    settledNano,
    submitPerMinute,
    queryPerMinute,
    priorityClass: row.priorityClass as PriorityClass,
    marks: row.marks as AccountRow['marks'],
    unmarked: row.unmarked as AccountRow['unmarked'],
    createdAt,
  };
}

/** Describes an account as operators see it. */
export function describeAccount(account: AccountSummary): JsonObject {
  const { id, name, state, balanceNano, heldNano, settledNano, createdAt } = account;
  return {
    id,
    name,
    state,
    balance: nanoToNumber(balanceNano),
    held: nanoToNumber(heldNano),
    settled: nanoToNumber(settledNano),
    submit_per_minute: account.submitPerMinute,
    query_per_minute: account.queryPerMinute,
    priority_class: account.priorityClass,
    marks: account.marks,
    unmarked: account.unmarked,
    created: unixSeconds(createdAt),
  };
}
