import { newTaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { createAccount, createKey, type NewKey } from '@mediagate/identity';
import { countBlocked, holdTransaction, type OpenTestDatabase, openTestDatabase, until } from '@mediagate/testkit';
import { type Submission, topUp } from '../src';

export const PEPPER = 'test-pepper';

export type Books = OpenTestDatabase;

/** A database of its own with empty books. */
export const openBooks = (poolSize = 10): Promise<Books> => openTestDatabase(poolSize);

export interface Payer {
  accountId: string;
  keyId: string;
}

export async function fundedKey(database: Database, balanceNano: bigint, key: Partial<NewKey> = {}): Promise<Payer> {
  const { id: accountId } = await createAccount(database, { name: 'payer', webhookSecret: 'whsec_dGVzdA==' });
  if (balanceNano > 0n) await topUp(database, { accountId, amountNano: balanceNano });
  const { id: keyId } = await createKey(database, PEPPER, { accountId, ...key });
  return { accountId, keyId };
}

export function submission(payer: Payer, reservedNano: bigint, more: Partial<Submission> = {}): Submission {
  return {
    ...payer,
    taskId: newTaskId(),
    family: 'image',
    kind: 'image',
    model: 'imagegen-2.5-flare',
    operation: 'images.generations',
    input: { prompt: 'a lighthouse' },
    rates: { image_output: 30_000_000_000n },
    catalogueVersion: 1,
    warnings: [],
    requestId: 'req_test',
    reservedNano,
    deadlineMs: 600_000,
    ...more,
  };
}

export interface Standing {
  toppedUp: bigint;
  held: bigint;
  settled: bigint;
}

export async function standing(database: Database, accountId: string): Promise<Standing> {
  const account = await database.account.findUniqueOrThrow({ where: { id: accountId } });
  return { toppedUp: account.toppedUpNano, held: account.heldNano, settled: account.settledNano };
}

/** Rows of every table that a submission writes. */
export async function rowCounts(database: Database) {
  const [tasks, reservations, entries, idempotencyKeys] = await Promise.all([
    database.task.count(),
    database.reservation.count(),
    database.ledgerEntry.count({ where: { taskId: { not: null } } }),
    database.idempotencyKey.count(),
  ]);
  return { tasks, reservations, entries, idempotencyKeys };
}

export interface HeldRow {
  /** Until so many statements wait for a lock in this database. */
  awaitedBy(count: number): Promise<void>;
  letGo(): Promise<void>;
}

/** Locks a row, which others then get in the order in which they ask for it. */
export async function holdRow(database: Database, table: 'accounts' | 'tasks', id: string): Promise<HeldRow> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { ended } = await new Promise<{ ended: Promise<void> }>((locked) => {
    const ended = holdTransaction(database, async (transaction) => {
      await transaction.$queryRawUnsafe(`select 1 from ${table} where id = $1 for update`, id);
      locked({ ended });
      await released;
    });
  });
  return {
    async awaitedBy(count) {
      await until(async () => (await countBlocked(database)) >= count, `${count} wait for the lock`);
    },
    async letGo() {
      release();
      await ended;
    },
  };
}
