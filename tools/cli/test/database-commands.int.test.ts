import { INVARIANTS, listAudits } from '@mediagate/billing';
import { forAllTests, prismaOf } from '@mediagate/testkit';
import { acceptedTask, fundedKey, openWorld, runIn, USER } from './world';

const world = forAllTests(openWorld);

describe('audit', () => {
  it('says how many invariants hold', async () => {
    expect(await world.run('audit')).toEqual({
      code: 0,
      out: `clean: ${INVARIANTS.length} invariants hold\n`,
      err: '',
    });
    const clean = { clean: true, invariants: INVARIANTS.length, violations: [], due_tasks: [], fail_overs: [] };
    expect(await world.json('audit')).toEqual(clean);
  });

  it('is listed among the audits as that of who ran it', async () => {
    await world.run('audit');
    const [run] = await listAudits(world.database, { before: undefined, limit: 1 });
    expect(run).toMatchObject({ requestedBy: `cli:${USER}`, endedAt: expect.any(Date), violations: [] });
    const ended = { requested_by: `cli:${USER}`, state: 'ended', ended_at: expect.any(Number), clean: true };
    const { data: audits, next_cursor: next } = JSON.parse(
      (await world.run('audit', 'list', '--limit', '1', '--json')).out,
    );
    expect(audits).toMatchObject([{ id: `audit_${run?.id}`, violations: [], ...ended }]);
    const older = await world.json('audit', 'list', '--before', next);
    expect(older.data.length).toBeGreaterThan(0);
    expect(older.data[0].id).not.toBe(audits[0].id);
  });

  it('shows what has been due for more than a minute and nobody took, and stays clean', async () => {
    const key = await fundedKey(world.database);
    const ids = [await acceptedTask(world.database, key), await acceptedTask(world.database, key)];
    const dueAgain = (secondsAgo: number) =>
      world.database.task.updateMany({
        where: { id: { in: ids } },
        data: { nextStepAt: new Date(Date.now() - secondsAgo * 1000) },
      });
    await dueAgain(20);
    expect((await world.run('audit')).out).toBe(`clean: ${INVARIANTS.length} invariants hold\n`);

    await dueAgain(300);
    const [forPeople, forMachines] = [await world.run('audit'), await world.json('audit')];
    await world.database.task.updateMany({
      where: { id: { in: ids } },
      data: { nextStepAt: new Date(Date.now() + 600_000) },
    });
    expect(forPeople).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^clean: .*\noldest due task: image, 30\d s; due and not taken: 2\n$/),
    });
    expect(forMachines).toMatchObject({ clean: true, violations: [], due_tasks: [{ family: 'image', tasks: 2 }] });
  });

  it('prints each violation with its subject and detail, and ends with code 1', async () => {
    const { accountId } = await fundedKey(world.database);
    const tamper = (by: number) =>
      world.database.account.update({ where: { id: accountId }, data: { toppedUpNano: { increment: by } } });
    await tamper(5);
    const [forPeople, forMachines] = [await world.run('audit'), await world.run('audit', '--json')];
    await tamper(-5);
    const violation = {
      invariant: 'account: topped up = its top_up and adjust entries',
      subject: accountId,
      detail: 'topped up 100000000005, entries 100000000000',
    };
    expect(forPeople.code).toBe(1);
    const listed = await world.run('audit', 'list', '--limit', '2');
    for (const part of Object.values(violation)) {
      expect(forPeople.out).toContain(part);
      expect(listed.out).toContain(part);
    }
    expect(forMachines.code).toBe(1);
    const ofLedger = {
      invariant: 'ledger: the newest balance is that of the account',
      subject: accountId,
      detail: 'balance 100000000005, newest entry 100000000000',
    };
    expect(JSON.parse(forMachines.out)).toMatchObject({ clean: false, violations: [violation, ofLedger] });
  });
});

describe('migrate', () => {
  it('makes the tables of an empty database, notes it, and finds nothing to do the next time', async () => {
    const empty = await openWorld();
    try {
      await prismaOf(empty.database).$executeRawUnsafe('drop schema public cascade');
      await prismaOf(empty.database).$executeRawUnsafe('create schema public');
      await prismaOf(empty.database).$executeRawUnsafe('create view accounts as select 1');
      const failed = await empty.run('migrate');
      expect(failed).toMatchObject({
        code: 1,
        err: expect.stringMatching(/"accounts" already exists\nThe migration \d+_\w+ failed/),
      });
      await prismaOf(empty.database).$executeRawUnsafe('drop view accounts');
      const early = await empty.run('account', 'list');
      expect(early).toMatchObject({ code: 1, out: '', err: expect.stringContaining('run `npx mediagate migrate`') });
      const { applied } = await empty.json('migrate');
      expect(applied.length).toBeGreaterThan(0);
      expect((await empty.json('account', 'list')).data).toEqual([]);
      expect(await empty.json('migrate')).toEqual({ applied: [] });
      expect(await empty.database.auditLogEntry.findMany()).toMatchObject([
        { actor: `cli:${USER}`, action: 'database.migrate', detail: { applied, outcome: 'done' } },
      ]);
    } finally {
      await empty.close();
    }
  });
});

describe('raise-fences', () => {
  it('begins an epoch, notes it, and the audit shows it', async () => {
    const { epoch } = await world.json('raise-fences');
    expect(epoch).toBeGreaterThan(0);
    expect(await world.database.auditLogEntry.findMany({ where: { action: 'database.raise_fences' } })).toMatchObject([
      { actor: `cli:${USER}`, detail: { epoch, outcome: 'done' } },
    ]);
    const { out } = await world.run('audit', '--json');
    expect(JSON.parse(out).fail_overs).toMatchObject([{ epoch, cause: 'raised', known_until: null }]);
  });
});

describe('a database that is not there', () => {
  it.each([['account', 'list'], ['audit'], ['migrate']])('is named without its password by %s %s', async (...words) => {
    const gone = { ...world.env, DATABASE_URL: 'postgresql://owner:hunter2@127.0.0.1:1/books' };
    const { code, out, err } = await runIn(gone, ...words.filter((word) => word !== undefined));
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining('127.0.0.1:1/books') });
    expect(err).toContain('ECONNREFUSED');
    expect(err).not.toContain('hunter2');
  });

  it('is distinguished from one that does not let the operator in', async () => {
    const url = new URL(world.env['DATABASE_URL'] ?? '');
    url.pathname = '/nobody_made_this';
    const { code, err } = await runIn({ ...world.env, DATABASE_URL: url.href }, 'account', 'list');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('"nobody_made_this" does not exist') });
  });
});
