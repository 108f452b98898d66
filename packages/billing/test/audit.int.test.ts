import { RECENT_INVARIANTS } from '@mediagate/database';
import { holdTransaction, prismaOf } from '@mediagate/testkit';
import { type AuditRun, audit, createFinisher, createSubmitter, INVARIANTS, type Submission } from '../src';
import { fundedKey, openBooks, submission } from './books';
import { auditRecent, BREAKS, breakBooks, namesIn, openLivelyBooks, repairOf } from './broken-books';

describe('the audit', () => {
  it('has a test that breaks each invariant it names', () => {
    expect(Object.keys(BREAKS).sort()).toEqual([...INVARIANTS].sort());
  });

  it('is clean on sound books', async () => {
    const books = await openLivelyBooks();
    expect(await audit(books.database)).toEqual([]);
    await books.close();
  });

  it.each(Object.entries(BREAKS))(
    'finds, in the whole books and among what was booked lately: %s',
    async (invariant, sql) => {
      const books = await openLivelyBooks();
      await breakBooks(books, sql);
      const violations = await audit(books.database);
      expect(namesIn({ violations })).toContain(invariant);
      expect(violations.every(({ subject, detail }) => subject !== '' && detail !== '')).toBe(true);
      if (RECENT_INVARIANTS.includes(invariant)) {
        const [first, afterItWasSealed] = [await auditRecent(books), await auditRecent(books)];
        expect(namesIn(first)).toContain(invariant);
        expect(namesIn(afterItWasSealed)).toContain(invariant);
        expect(first.violations.every(({ subject, detail }) => subject !== '' && detail !== '')).toBe(true);
      }
      await books.close();
    },
  );

  it.each([
    ['61 minutes behind', '+', 61, 1],
    ['59 minutes behind', '+', 59, 0],
    ['59 minutes ahead', '-', 59, 0],
    ['61 minutes ahead', '-', 61, 1],
    ['three hours ahead', '-', 180, 1],
  ])('finds the tasks of a process whose clock is more than an hour wrong: %s', async (_, sign, minutes, found) => {
    const books = await openLivelyBooks();
    await breakBooks(
      books,
      `update reservations set created_at = created_at ${sign} interval '${minutes} minutes' where state = 'held'`,
    );
    const named = ({ violations }: Pick<AuditRun, 'violations'>) =>
      namesIn({ violations }).filter((name) => name === 'task: its id is within an hour of its booking').length;
    expect(named({ violations: await audit(books.database) })).toBe(found);
    expect(named(await auditRecent(books))).toBe(found);
    await books.close();
  });

  it('finds no callback that waits for the slots of its account while others of it are under way', async () => {
    const books = await openLivelyBooks();
    await breakBooks(books, `update webhook_deliveries set next_attempt_at = now() - interval '5 minutes'`);
    const [delivery] = await books.database.webhookDelivery.findMany();
    if (!delivery) throw new Error('there is no callback');
    const leaseUntil = new Date(Date.now() + 60_000);
    const other = { ...delivery, id: 'under-way', taskId: 'task_under_way', leaseUntil };
    await books.database.webhookDelivery.create({ data: other });
    const found = (await audit(books.database)).map(({ invariant }) => invariant);
    expect(found).not.toContain('liveness: no callback waits beyond its time');
    await books.close();
  });

  it('takes no entry of 0.1, whose number is drawn before its turn, for a balance that does not follow', async () => {
    const books = await openBooks(3);
    const payer = await fundedKey(books.database, 1000n);
    const [submit, finish] = [createSubmitter(books.database), createFinisher(books.database)];
    const [old, meanwhile, later] = [submission(payer, 10n), submission(payer, 20n), submission(payer, 30n)];
    await Promise.all([old, meanwhile, later].map(submit));
    const complete = ({ taskId }: Submission) =>
      finish({
        taskId,
        accountId: payer.accountId,
        fence: 'any',
        outcome: { kind: 'completed', costNano: 5n, result: {} },
      });
    await holdTransaction(books.database, async (transaction) => {
      const [entry, ...rest] = settledBy01(old.taskId);
      await transaction.$executeRawUnsafe(entry);
      await complete(meanwhile);
      for (const statement of rest) await transaction.$executeRawUnsafe(statement);
    });
    expect(await audit(books.database)).toEqual([]);
    await complete(later);
    expect(await audit(books.database)).toEqual([]);

    await breakBooks(books, BREAKS['ledger: each balance follows from the one before'] ?? '');
    await breakBooks(
      books,
      `update ledger_entries set created_at = created_at - interval '1 hour' where balance_after_nano is null`,
    );
    const found = (await audit(books.database)).map(({ invariant }) => invariant);
    expect(found).toContain('ledger: each balance follows from the one before');
    expect(found).toContain('ledger: the newest balance is that of the account');
    await books.close();
  });

  it('is clean again after the repair of the runbook, which adds sums up from the reservations', async () => {
    const books = await openLivelyBooks();
    await breakBooks(
      books,
      'with a as (update accounts set held_nano = 7, settled_nano = 3) update api_keys set held_nano = 1, settled_nano = 2',
    );
    expect((await audit(books.database)).length).toBeGreaterThan(1);
    const [account] = await books.database.account.findMany();
    for (const statement of repairOf(account?.id ?? '')) await prismaOf(books.database).$executeRawUnsafe(statement);
    expect(await audit(books.database)).toEqual([]);
    await books.close();
  });
});

/** The statements that 0.1 ran at the end of a task, in its order: the entry first, then those that need the account's lock. */
function settledBy01(taskId: string): [entry: string, ...rest: string[]] {
  const ofTask = `where task_id = '${taskId}'`;
  const moved = `held_nano = o.held_nano - r.amount_nano, settled_nano = o.settled_nano + 5 from reservations r where r.task_id = '${taskId}'`;
  return [
    `insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano)
      select account_id, key_id, task_id, 'settle', 5 from reservations ${ofTask}`,
    `update accounts o set ${moved} and o.id = r.account_id`,
    `update api_keys o set ${moved} and o.id = r.key_id`,
    `update reservations set state = 'settled', settled_nano = 5, resolved_at = now() ${ofTask}`,
    `update tasks set status = 'completed', progress = 100, completed_at = now(), cost_nano = 5, result = '{}' where id = '${taskId}'`,
  ];
}
