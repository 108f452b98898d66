import { INVARIANTS, RECENT_INVARIANTS } from '@mediagate/database';
import { holdTransaction, prismaOf, runSql, until } from '@mediagate/testkit';
import { audit, auditByClock, auditNow, createFinisher, createSubmitter, taskError, topUp } from '../src';
import { type Books, fundedKey, openBooks, submission } from './books';
import { auditRecent, BREAKS, breakBooks, namesIn, openLivelyBooks } from './broken-books';

/** Found by the audit of the whole books alone. */
const LEFT_TO_THE_WHOLE = [
  'account: held and settled = its reservations',
  'usage: the sums of a day = the reservations they are of',
  'usage: what was charged on all days = what the account has settled',
  'closed month: its entries are those that were sealed',
  'closed month: its sums are those of its entries',
  'closed month: its digest is that of the month before, of its pieces and of its sums',
  'closed month: removed entries stay removed',
  'usage: the units of a day = those of the reservations they are of',
  'idempotency key: points to a task of its key',
];

/** Audits until all is sealed: open transactions of other databases of the server are waited for, too. */
async function seal(books: Books): Promise<void> {
  await until(async () => {
    expect(await auditRecent(books)).toMatchObject({ violations: [] });
    const [{ sealedTo, newest } = { sealedTo: 0n, newest: 1n }] = await books.database.readSeal();
    return sealedTo === newest;
  }, 'all is sealed');
}

const sealedTo = async ({ database }: Books) => (await database.readSeal())[0]?.sealedTo;

describe('the audit by the clock, of long books', () => {
  it('leaves to the audit of the whole books what it says that it leaves', () => {
    expect([...RECENT_INVARIANTS, ...LEFT_TO_THE_WHOLE].sort()).toEqual([...INVARIANTS].sort());
  });

  it('finds sound books clean, sealed or not', async () => {
    const books = await openLivelyBooks();
    for (const _ of ['before it was sealed', 'sealed', 'again']) {
      expect(await auditRecent(books)).toMatchObject({ violations: [], whole: false });
    }
    await seal(books);
    expect(await auditRecent(books)).toMatchObject({ violations: [], whole: false });
    await books.close();
  });

  it.each([
    'account: topped up = its top_up and adjust entries',
    'account: replaying the ledger gives its held and settled',
    'key: held and settled = its reservations',
    'no balance below zero',
    'liveness: no reservation held past its expiry',
  ])('finds on books that are sealed: %s', async (invariant) => {
    const books = await openLivelyBooks();
    await seal(books);
    const changesRow = BREAKS[invariant]?.startsWith('update');
    await breakBooks(
      books,
      changesRow ? (BREAKS[invariant] ?? '') : 'update accounts set settled_nano = settled_nano - 1',
    );
    expect(namesIn(await auditRecent(books))).toContain(invariant);
    await books.close();
  });

  it('goes through long books in pieces, and knows the sums at their end', async () => {
    const { books, payer } = await openLongBooks();
    await auditRecent(books, 2n);
    await seal(books);
    const { database } = books;
    const stored = await database.sealedAccount.findUniqueOrThrow({ where: { accountId: payer.accountId } });
    const account = await database.account.findUniqueOrThrow({ where: { id: payer.accountId } });
    expect([stored.toppedUpNano, stored.heldNano, stored.settledNano]).toEqual([
      account.toppedUpNano,
      account.heldNano,
      account.settledNano,
    ]);
    await prismaOf(database).$executeRawUnsafe('update accounts set held_nano = held_nano + 1');
    expect(namesIn(await auditRecent(books, 2n))).toContain('account: replaying the ledger gives its held and settled');
    await books.close();
  });

  it('seals nothing at fault before it stands in a result, and comes to the sums all the same', async () => {
    const { books, tasks } = await openLongBooks();
    const wrongCost = `update tasks set cost_nano = 9 where id = '${tasks[1]}'`;
    await breakBooks(books, `with a as (${wrongCost}) update accounts set held_nano = held_nano + 1`);
    const failing: typeof books.database = Object.create(books.database, {
      endAudit: { value: () => Promise.reject(new Error('the process is gone')) },
    });
    await expect(auditRecent({ ...books, database: failing }, 4n)).rejects.toThrow('the process is gone');
    expect(namesIn(await auditRecent(books, 4n))).toEqual(['task: cost is what was settled']);
    for (const _ of ['comes to the end', 'finds it again, sealed']) {
      expect(new Set(namesIn(await auditRecent(books, 4n)))).toEqual(
        new Set(['task: cost is what was settled', 'account: replaying the ledger gives its held and settled']),
      );
    }
    await books.close();
  });

  it('looks again at what an audit of the whole books found', async () => {
    const books = await openLivelyBooks();
    await seal(books);
    await breakBooks(books, BREAKS['task: cost is what was settled'] ?? '');
    expect(await auditRecent(books)).toMatchObject({ violations: [] });
    await auditNow(books.database, 'cli:kim');
    expect(namesIn(await auditRecent(books))).toEqual(['task: cost is what was settled']);
    await books.close();
  });

  it('seals no entry before all that were drawn before it have been written or given up', async () => {
    const books = await openBooks(4);
    const [slow, quick] = [await fundedKey(books.database, 0n), await fundedKey(books.database, 0n)];
    await holdTransaction(books.database, async (open) => {
      await open.$executeRawUnsafe(`update accounts set topped_up_nano = 5 where id = '${slow.accountId}'`);
      await open.$executeRawUnsafe(
        `insert into ledger_entries (account_id, kind, amount_nano, balance_after_nano) values ('${slow.accountId}', 'top_up', 5, 5)`,
      );
      await topUp(books.database, { accountId: quick.accountId, amountNano: 7n });
      // The seal's candidate is that of the migration: it notes one now, and may not use it while the first one is under way.
      for (const _ of ['notes', 'waits', 'waits']) expect(await auditRecent(books)).toMatchObject({ violations: [] });
      expect(await sealedTo(books)).toBe(0n);
    });
    await seal(books);
    expect(await books.database.sealedAccount.count()).toBe(2);
    await books.close();
  });

  it('seals once, whoever seals beside', async () => {
    const books = await openLivelyBooks();
    await auditRecent(books);
    const [seal] = await books.database.readSeal();
    if (!seal) throw new Error('no seal');
    const part = { from: seal.sealedTo, to: seal.newest };
    const moved = await Promise.all([1, 2, 3].map(() => books.database.sealEntries(part)));
    expect(moved.flat()).toHaveLength(part.to > part.from ? 1 : 3);
    expect(await auditRecent(books)).toMatchObject({ violations: [] });
    await books.close();
  });

  it('of short books looks at the whole', async () => {
    const books = await openLivelyBooks();
    await breakBooks(books, BREAKS['idempotency key: points to a task of its key'] ?? '');
    const run = await auditByClock(books.database, { everyMs: 0 });
    expect(run).toMatchObject({ whole: true });
    expect(run?.violations.map(({ invariant }) => invariant)).toEqual(
      (await audit(books.database)).map(({ invariant }) => invariant),
    );
    await books.close();
  });

  it('is made by one process; the others report what it found', async () => {
    const books = await openLivelyBooks();
    const first = await auditByClock(books.database, { everyMs: 60_000 });
    const others = await Promise.all([1, 2].map(() => auditByClock(books.database, { everyMs: 60_000 })));
    expect(others.map((run) => run?.id)).toEqual([first?.id, first?.id]);
    expect(await runSql<{ count: number }>(books.database, 'select count(*)::int as count from audit_runs')).toEqual([
      { count: 1 },
    ]);
    await books.close();
  });
});

/** Twelve tasks, some held, some settled, some refunded. */
async function openLongBooks() {
  const books = await openBooks(3);
  const payer = await fundedKey(books.database, 10_000n);
  const [submit, finish] = [createSubmitter(books.database), createFinisher(books.database)];
  const tasks: string[] = [];
  for (let index = 0; index < 12; index++) {
    const task = submission(payer, 10n);
    tasks.push(task.taskId);
    await submit(task);
    const outcome =
      index % 3 === 0
        ? ({ kind: 'failed', error: taskError('upstream_error') } as const)
        : ({ kind: 'completed', costNano: 4n, result: {} } as const);
    if (index % 4 !== 3) await finish({ taskId: task.taskId, accountId: payer.accountId, fence: 'any', outcome });
  }
  return { books, payer, tasks };
}
