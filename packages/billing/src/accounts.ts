import { type Nano, timeOrderedId } from '@mediagate/contracts';
import {
  type AccountSnapshot,
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
} from '@mediagate/database';

export interface AccountSummary {
  id: string;
  name: string;
  balanceNano: Nano;
  heldNano: Nano;
  settledNano: Nano;
  createdAt: Date;
}

export interface NewAccount {
  name: string;
  /** `whsec_…`; signs the account's callbacks. */
  webhookSecret: string;
}

/** Nobody's wish: demonstrations, and tests. */
const SYSTEM: ChangeRequest = { actor: 'system' };

export function openAccount(database: Database, account: NewAccount, request: ChangeRequest): Promise<ChangeOutcome> {
  const id = `acct_${timeOrderedId()}`;
  return changeOnce(database, request, () => database.openAccount({ id, ...account }, request));
}

export async function createAccount(database: Database, account: NewAccount): Promise<{ id: string }> {
  const outcome = await openAccount(database, account, SYSTEM);
  if (outcome.kind !== 'changed') throw new Error(`an account was not opened: ${outcome.kind}`);
  return { id: outcome.row.subject };
}

/** As an account stood when it was changed. */
export function accountOf(snapshot: AccountSnapshot): AccountSummary {
  const { id, name, balance, held, settled, createdAt } = snapshot;
  return {
    id,
    name,
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

export async function listAccounts(database: Database): Promise<AccountSummary[]> {
  const rows = await database.account.findMany({ orderBy: { createdAt: 'asc' } });
  return rows.map(toSummary);
}

type AccountRow = Omit<AccountSummary, 'balanceNano'> & { toppedUpNano: Nano };

function toSummary({ id, name, toppedUpNano, heldNano, settledNano, createdAt }: AccountRow): AccountSummary {
  return { id, name, heldNano, settledNano, createdAt, balanceNano: toppedUpNano - heldNano - settledNano };
}

export interface Funding {
  accountId: string;
  amountNano: Nano;
  /** The operator's own reference, for example of a payment; booked once at most. */
  reference?: string;
  /** Kept in the ledger. */
  note?: string;
}

/** `duplicate`: the reference was booked before. `unchanged`: there is no such account. */
export async function topUp(
  database: Database,
  funding: Funding,
  request: ChangeRequest = SYSTEM,
): Promise<ChangeOutcome> {
  if (funding.amountNano <= 0n) throw new Error('a top-up is of an amount above zero');
  return fund(database, 'top_up', { funding, request });
}

/**
 * A correction in either direction, with its reason in the ledger. `unchanged`: there is no such account, or its balance would
 * fall below zero.
 */
export function adjust(
  database: Database,
  funding: Funding & { note: string },
  request: ChangeRequest = SYSTEM,
): Promise<ChangeOutcome> {
  return fund(database, 'adjust', { funding, request });
}

function fund(
  database: Database,
  kind: 'top_up' | 'adjust',
  { funding, request }: { funding: Funding; request: ChangeRequest },
): Promise<ChangeOutcome> {
  const { accountId, amountNano, reference = null, note = null } = funding;
  return changeOnce(database, request, () =>
    database.fundAccount({ accountId, amountNano, kind, reference, note }, request),
  );
}
