import { createKey } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import {
  audit,
  createFinisher,
  createSubmitter,
  listLedger,
  sumUsage,
  taskError,
  topUp,
  type UsageGroups,
} from '../src';
import { fundedKey, openBooks, type Payer, standing, submission } from './books';

const books = forAllTests(openBooks);

const HOUR_MS = 3_600_000;
const NO_GROUPS: UsageGroups = { day: false, model: false, key: false, family: false, metadata: [] };

const ledgerOf = async ({ accountId }: Payer) =>
  (await listLedger(books.database, { accountId, ownKeyId: null }, { limit: 10_000 })).rows;

/** The same numbers at every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function balanceOf({ accountId }: Payer): Promise<bigint> {
  const { toppedUp, held, settled } = await standing(books.database, accountId);
  return toppedUp - held - settled;
}

it('a thousand bookings at once, of three accounts, leave balances that follow from each other up to the account’s own', async () => {
  const random = seededRandom(20_261_122);
  const payers = await Promise.all([4000n, 90_000n, 1_000_000n].map((nano) => fundedKey(books.database, nano)));
  const [submit, finish] = [createSubmitter(books.database), createFinisher(books.database)];
  async function spendAndEarn(payer: Payer): Promise<void> {
    const item = submission(payer, BigInt(1 + Math.floor(random() * 500)));
    if (random() < 0.1) await topUp(books.database, { accountId: payer.accountId, amountNano: 11n });
    if ((await submit(item)).kind !== 'accepted' || random() < 0.1) return;
    const costNano = BigInt(Math.floor(random() * 600));
    const failed = { kind: 'failed', error: taskError('timeout') } as const;
    const outcome = random() < 0.3 ? failed : ({ kind: 'completed', costNano, result: {} } as const);
    await finish({ taskId: item.taskId, accountId: item.accountId, fence: 'any', outcome });
  }
  await Promise.all(Array.from({ length: 1000 }, (_, index) => spendAndEarn(payers[index % 3] as Payer)));
  expect(await audit(books.database)).toEqual([]);
  for (const payer of payers) {
    const entries = (await ledgerOf(payer)).reverse();
    let balance = 0n;
    for (const entry of entries) {
      balance += entry.changeNano;
      expect(entry.balanceAfterNano).toBe(balance);
    }
    expect(balance).toBe(await balanceOf(payer));
  }
});

it('a key that sees its own work alone is told its own entries, without the balance, and what it used', async () => {
  const payer = await fundedKey(books.database, 1000n);
  const { id: keyId } = await createKey(books.database, 'a pepper', { accountId: payer.accountId });
  const own = submission({ ...payer, keyId }, 3n);
  for (const item of [own, submission(payer, 5n)]) await createSubmitter(books.database)(item);
  const who = { accountId: payer.accountId, ownKeyId: keyId };
  const { rows, next } = await listLedger(books.database, who, { limit: 10 });
  expect([rows, next]).toMatchObject([[{ taskId: own.taskId, kind: 'hold', balanceAfterNano: null }], undefined]);
  const [from, to] = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + HOUR_MS)];
  const groups = { ...NO_GROUPS, key: true };
  const query = { ...who, from, to, groups, limit: 1000 };
  expect(await sumUsage(books.database, query, { withinMs: 10_000 })).toMatchObject([{ key: keyId, tasks: 1n }]);
});

it('a page of the ledger that looks at entries of others ends short, and the next goes on', async () => {
  const payer = await fundedKey(books.database, 1000n);
  const { id: keyId } = await createKey(books.database, 'a pepper', { accountId: payer.accountId });
  const own = submission({ ...payer, keyId }, 3n);
  for (const item of [own, ...Array.from({ length: 4 }, () => submission(payer, 5n))]) {
    await createSubmitter(books.database)(item);
  }
  const who = { accountId: payer.accountId, ownKeyId: keyId };
  const seen: (string | null)[] = [];
  let [before, pages] = [2n ** 62n, 0];
  for (; before > 0n; pages += 1) {
    const rows = await books.database.listSeenLedger(who, { before, limit: 2, scanRows: 2 });
    seen.push(...rows.flatMap(({ id, taskId }) => (id === null ? [] : [taskId])));
    before = rows[0]?.lookedUntil ?? 0n;
  }
  // The payment, and five holds.
  expect([seen, pages]).toEqual([[own.taskId], 4]);
});
