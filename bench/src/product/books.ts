import { audit, topUp } from '@mediagate/billing';
import { type Database, openDatabase } from '@mediagate/database';
import { createAccount, createKey, type IssuedKey } from '@mediagate/identity';
import { query } from '../machine/query';
import type { Stage } from '../stage';

/** Pepper of API keys' hashes, and of links: nothing of a benchmark is worth keeping secret. */
export const PEPPER = 'bench-pepper';
/** Signs the callbacks of every account. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of exactly 32 characters').toString('base64')}`;

/** Enough for any run: a million currency units. */
const BALANCE_NANO = 10n ** 15n;
const NO_LIMIT = 2 ** 31 - 1;

export interface Account {
  id: string;
  key: IssuedKey;
}

/** A database with funded accounts, in the product's own schema. */
export interface Books {
  url: string;
  database: Database;
  /** At least one; the first is the hot one. */
  accounts: Account[];
  count(from: string): Promise<number>;
}

/** @param options.accounts how many; the default is one, which every request then contends for. */
export async function openBooks(stage: Stage, name: string, options: { accounts?: number } = {}): Promise<Books> {
  const url = await stage.createDatabase(name);
  const database = openDatabase({ url, poolSize: 4, statementTimeoutMs: 60_000, applicationName: 'bench' });
  stage.defer(() => database.close());
  const accounts: Account[] = [];
  for (let index = 0; index < (options.accounts ?? 1); index += 1) accounts.push(await openAccount(database, index));
  return {
    url,
    database,
    accounts,
    async count(from) {
      const [row] = await query<{ count: number }>(url, `select count(*)::int as count from ${from}`);
      return row?.count ?? 0;
    },
  };
}

async function openAccount(database: Database, index: number): Promise<Account> {
  const { id } = await createAccount(database, { name: `bench ${index}`, webhookSecret: WEBHOOK_SECRET });
  await topUp(database, { accountId: id, amountNano: BALANCE_NANO });
  const limits = { submitPerMinute: NO_LIMIT, queryPerMinute: NO_LIMIT };
  return { id, key: await createKey(database, PEPPER, { accountId: id, ...limits }) };
}

/** The faults that the product's own audit finds; empty when the books are right. */
export async function auditFaults({ database }: Books): Promise<string[]> {
  const violations = await audit(database);
  return violations.map(({ invariant, subject, detail }) => `audit: ${invariant}: ${subject} ${detail}`).slice(0, 5);
}

/** A fault unless both are the same. */
export function mustEqual(what: string, found: number, expected: number): string[] {
  return found === expected ? [] : [`${what}: ${found}, and ${expected} were expected`];
}

/**
 * A fault unless every acknowledged task exists, and no others but those in flight when the load stopped: their callers were
 * gone before the answer.
 */
export function mustMatchAcknowledged(
  what: string,
  found: number,
  acked: { answers: number; inFlightAtMost: number },
): string[] {
  const { answers, inFlightAtMost } = acked;
  if (found >= answers && found <= answers + inFlightAtMost) return [];
  return [`${what}: ${found}, and ${answers} (up to ${inFlightAtMost} more) were acknowledged`];
}
