import { type Nano, timeOrderedId } from '@mediagate/contracts';
import { type Database, sqlState } from '@mediagate/database';

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

export async function createAccount(database: Database, account: NewAccount): Promise<{ id: string }> {
  const id = `acct_${timeOrderedId()}`;
  await database.account.create({ data: { id, ...account }, select: { id: true } });
  return { id };
}

export async function listAccounts(database: Database): Promise<AccountSummary[]> {
  const rows = await database.account.findMany({ orderBy: { createdAt: 'asc' } });
  return rows.map(({ id, name, toppedUpNano, heldNano, settledNano, createdAt }) => ({
    id,
    name,
    heldNano,
    settledNano,
    createdAt,
    balanceNano: toppedUpNano - heldNano - settledNano,
  }));
}

export interface Funding {
  accountId: string;
  amountNano: Nano;
  /** The operator's own reference, for example of a payment; booked once at most. */
  reference?: string;
  note?: string;
}

export type FundOutcome =
  | { kind: 'booked'; balanceNano: Nano }
  | { kind: 'duplicate_reference' }
  /** No such account, or the adjustment would take its balance below zero. */
  | { kind: 'refused' };

export async function topUp(database: Database, funding: Funding): Promise<FundOutcome> {
  if (funding.amountNano <= 0n) return { kind: 'refused' };
  return fund(database, 'top_up', funding);
}

/** A correction in either direction, with its reason in the ledger. */
export async function adjust(database: Database, funding: Funding & { note: string }): Promise<FundOutcome> {
  return fund(database, 'adjust', funding);
}

async function fund(database: Database, kind: 'top_up' | 'adjust', funding: Funding): Promise<FundOutcome> {
  const { accountId, amountNano, reference = null, note = null } = funding;
  try {
    const rows = await database.fundAccount({ accountId, amountNano, kind, reference, note });
    const [row] = rows;
    return row ? { kind: 'booked', balanceNano: row.balance } : { kind: 'refused' };
  } catch (error) {
    if (sqlState(error) === '23505') return { kind: 'duplicate_reference' };
    throw error;
  }
}
