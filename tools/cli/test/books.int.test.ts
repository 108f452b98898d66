import { auditByClock, closeNextMonth } from '@mediagate/billing';
import { countBlocked, holdTransaction, runSql, until, withoutGuards } from '@mediagate/testkit';
import { fundedKey, openWorld, USER, type World } from './world';

const OLD = '2025-03';
const NEXT = '2025-04';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function auditUntilSealed(): Promise<void> {
  await until(async () => {
    await auditByClock(world.database, { everyMs: 0 });
    const [seal] = await world.database.readSeal();
    return seal?.sealedTo === seal?.newest;
  }, 'all entries are sealed');
}

describe('books', () => {
  it('says what is in the way of closing a month, and changes nothing', async () => {
    expect(await world.run('books', 'close', '2025-3')).toMatchObject({ code: 2 });
    expect(await world.run('books', 'close', OLD)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`no entry of ${OLD} or before`),
    });
    await fundedKey(world.database);
    await withoutGuards(world.database, `update ledger_entries set created_at = '${OLD}-10'`);
    expect(await world.run('books', 'close', OLD)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`the month ${OLD} cannot be closed: the reconciler has not audited`),
    });
    expect(await world.json('books', 'list')).toEqual({ months: [] });
  });

  it('closes a month once, with an entry in the audit log, and lists it', async () => {
    await auditUntilSealed();
    const closed = await world.json('books', 'close', OLD);
    expect(closed).toMatchObject({ month: OLD, accounts: 1, entries: 1, charged: 0, entries_of_tasks: 'kept' });
    expect(closed.digest).toMatch(/^[0-9a-f]{64}$/);
    expect((await world.notes(OLD)).at(-1)).toMatchObject({
      actor: `cli:${USER}`,
      action: 'books.close',
      detail: { outcome: 'done' },
    });
    const noted = (await world.notes(OLD)).length;
    expect(await world.json('books', 'close', OLD)).toEqual(closed);
    expect(await world.notes(OLD)).toHaveLength(noted);
    expect(await world.json('books', 'list')).toEqual({ months: [closed] });
    expect((await world.run('books', 'list')).out).toContain(closed.digest);
    expect((await world.run('audit')).code).toBe(0);
    await withoutGuards(world.database, 'update ledger_entries set amount_nano = amount_nano + 1');
    expect(await world.run('audit')).toMatchObject({
      code: 1,
      out: expect.stringContaining('closed month: its entries'),
    });
    await withoutGuards(world.database, 'update ledger_entries set amount_nano = amount_nano - 1');
    expect((await world.run('audit')).code).toBe(0);
  });

  it('closes a month that another process closes beside it, in both', async () => {
    expect(await closeNextMonth(world.database, { upTo: NEXT })).toEqual({ kind: 'begun', month: NEXT });
    const running = await holdTransaction(world.database, async (transaction) => {
      await transaction.$queryRawUnsafe('select month from closed_months where digest is null for update');
      const both = [1, 2].map(() => world.json('books', 'close', NEXT));
      await until(async () => (await countBlocked(world.database)) === both.length, 'both wait');
      return { both };
    });
    const [one, another] = await Promise.all(running.both);
    expect(one).toMatchObject({ month: NEXT, entries: 0 });
    expect(another).toEqual(one);
  });

  it('says where bookings were removed: of the ledger, and of invoices that need them', async () => {
    const [{ id = '' } = {}] = await world.database.account.findMany();
    const invoice = ['report', 'invoice', '--account', id, '--month', OLD];
    expect((await world.run(...invoice, '--timezone', 'Asia/Shanghai')).code).toBe(0);
    await withoutGuards(world.database, 'update closed_months set pruned_to = up_to_entry_id');
    expect((await world.json('books', 'list')).months[0].entries_of_tasks).toBe('removed');
    expect(await world.run('account', 'ledger', id)).toMatchObject({
      code: 0,
      err: expect.stringContaining('entries of tasks that ended before 2025-04-02'),
    });
    expect(await world.run(...invoice, '--timezone', 'Asia/Shanghai')).toMatchObject({
      code: 1,
      err: expect.stringContaining('single bookings before 2025-04-02 are removed'),
    });
    expect((await world.run(...invoice)).code).toBe(0);
  });

  it('closes no month that has not ended', async () => {
    const [row] = await runSql<{ month: string }>(
      world.database,
      `select to_char(now() at time zone 'UTC', 'YYYY-MM') as month`,
    );
    const ran = await world.run('books', 'close', row?.month ?? '');
    expect(ran).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the month \d{4}-\d\d cannot be closed: it has to have ended a day ago/),
    });
    expect((await world.json('books', 'list')).months.length).toBeGreaterThan(1);
  });
});
