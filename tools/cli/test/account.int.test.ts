import { ServerResponse } from 'node:http';
import { audit, readAccountBalance } from '@mediagate/billing';
import { forAllTests, runSql } from '@mediagate/testkit';
import { openWorld, USER, units } from './world';

const world = forAllTests(openWorld);
afterEach(async () => {
  expect(await audit(world.database)).toEqual([]);
});

const balanceOf = async (id: string) => (await readAccountBalance(world.database, id))?.remainNano;

describe('account create', () => {
  it('opens an account with its first balance and notes both who and how much', async () => {
    const account = await world.json('account', 'create', '--name', 'Studio', '--balance', '12.345678901');
    expect(account).toMatchObject({ id: expect.stringMatching(/^acct_/), name: 'Studio', balance: 12.345678901 });
    expect(await balanceOf(account.id)).toBe(12_345_678_901n);
    expect(await world.notes(account.id)).toEqual([
      {
        actor: `cli:${USER}`,
        action: 'account.create',
        detail: { before: null, after: expect.objectContaining({ name: 'Studio', balance: '0' }) },
      },
      {
        actor: `cli:${USER}`,
        action: 'account.top_up',
        detail: expect.objectContaining({ after: expect.objectContaining({ balance: '12345678901' }) }),
      },
    ]);
  });

  it('needs neither a name nor a balance, and gives each account a signing secret of its own', async () => {
    const accounts = [await world.json('account', 'create'), await world.json('account', 'create', '--balance', '0')];
    expect(accounts.map(({ balance }) => balance)).toEqual([0, 0]);
    const rows = await world.database.account.findMany({ where: { id: { in: accounts.map(({ id }) => id) } } });
    const secrets = rows.map((row) => row.webhookSecret);
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_/);
  });
});

describe('account top-up', () => {
  async function newAccount(): Promise<string> {
    return (await world.json('account', 'create', '--name', 'Payer', '--balance', '1')).id;
  }

  it('adds to the balance and keeps reference and note in the ledger', async () => {
    const id = await newAccount();
    const booked = await world.json('account', 'top-up', id, '2.5', '--reference', `pay-${id}`, '--note', 'May');
    expect(booked).toMatchObject({ id, balance: 3.5 });
    const entries = await world.database.ledgerEntry.findMany({
      where: { accountId: id },
      orderBy: { id: 'asc' },
    });
    expect(entries[1]).toMatchObject({
      kind: 'top_up',
      amountNano: units(5) / 2n,
      reference: `pay-${id}`,
      note: 'May',
    });
    const entry = { kind: 'top_up', amount: '2500000000', reference: `pay-${id}`, note: 'May' };
    expect((await world.notes(id)).at(-1)).toMatchObject({
      actor: `cli:${USER}`,
      action: 'account.top_up',
      detail: { before: { balance: '1000000000' }, after: { balance: '3500000000', entry } },
    });
  });

  it('refuses an account that is not there', async () => {
    expect(await world.run('account', 'top-up', 'acct_nobody', '1')).toEqual({
      code: 1,
      out: '',
      err: 'mediagate: acct_nobody: Account not found.\n',
    });
    expect(await world.notes('acct_nobody')).toEqual([]);
  });
});

/** Cuts the connection of whatever books a payment under the reference or note, in the middle of its statement. */
async function cutBookings(marked: string): Promise<void> {
  const cut = 'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60); return new; end';
  await runSql(world.database, `create function cut() returns trigger language plpgsql as $$ ${cut} $$`);
  const when = `new.reference = '${marked}' or new.note = '${marked}'`;
  await runSql(
    world.database,
    `create trigger cut before insert on ledger_entries for each row when (${when}) execute function cut()`,
  );
}

const MAY_BE_DONE =
  /^mediagate: the database stopped answering \(.+\): look before you try again, it may have been done$/m;

describe('a payment whose connection breaks', () => {
  afterEach(() => runSql(world.database, 'drop function cut() cascade'));

  it('may have been booked, which account top-up says', async () => {
    const { id } = await world.json('account', 'create');
    await cutBookings('cut-1');
    expect(await world.run('account', 'top-up', id, '2', '--reference', 'cut-1')).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(MAY_BE_DONE),
    });
  });

  it('leaves an account, whose id account create says', async () => {
    await cutBookings('first balance');
    const { code, out, err } = await world.run('account', 'create', '--name', 'Half open', '--balance', '3');
    const { id } = await world.database.account.findFirstOrThrow({ where: { name: 'Half open' } });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      `mediagate: ${id} is open: npx mediagate account ledger ${id} shows whether its first balance`,
    );
    expect(err).toMatch(MAY_BE_DONE);
  });
});

it('an answer that breaks ends its command with what broke it', async () => {
  const end = jest.spyOn(ServerResponse.prototype, 'end').mockImplementation(() => {
    throw new Error('nothing ends here');
  });
  try {
    const { code, err } = await world.run('account', 'list');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('nothing ends here') });
  } finally {
    end.mockRestore();
  }
});

describe('account list', () => {
  it('shows amounts as numbers to machines and in columns to people', async () => {
    const { id } = await world.json('account', 'create', '--name', 'Listed', '--balance', '0.000000001');
    const listed: { data: { id: string }[] } = await world.json('account', 'list');
    expect(listed.data.find((account) => account.id === id)).toEqual({
      id,
      name: 'Listed',
      state: 'active',
      balance: 1e-9,
      held: 0,
      settled: 0,
      submit_per_minute: null,
      query_per_minute: null,
      priority_class: 'normal',
      marks: null,
      unmarked: null,
      created: expect.closeTo(Date.now() / 1000, -2),
    });
    const { out } = await world.run('account', 'list');
    expect(out).toMatch(
      /^ID +NAME +STATE +BALANCE +HELD +SETTLED +CLASS +SUBMITS\/MIN +QUERIES\/MIN +MARKS +CREATED\n/,
    );
    expect(out).toContain('0.000000001');
  });

  it('shows a name that would steer the terminal as plain text', async () => {
    const { database } = world;
    await database.account.create({
      data: { id: 'acct_rude', name: '\u001b[2Jgone', webhookSecret: 'whsec_dGVzdA==' },
    });
    const { out } = await world.run('account', 'list');
    expect(out).toContain('\u{fffd}[2Jgone');
    expect(out).not.toContain('\u001b');
  });
});

describe('account ledger, and action list', () => {
  it('show what was booked and what was done, as the routes of operators do, page by page', async () => {
    const { id } = await world.json('account', 'create', '--name', 'Kept', '--balance', '2', '--reason', 'trial');
    await world.json('account', 'top-up', id, '0.5', '--reason', 'invoice 7');
    await world.json('account', 'suspend', id);
    expect(await world.json('account', 'show', id)).toMatchObject({ id, state: 'suspended', balance: 2.5 });

    const second = { kind: 'top_up', amount: 0.5, change: 0.5, balance_after: 2.5, task_id: null, key_id: null };
    const words = { reference: null, reason: 'invoice 7' };
    const first = { kind: 'top_up', amount: 2, change: 2, balance_after: 2 };
    const { out, err } = await world.run('account', 'ledger', id, '--limit', '1', '--json');
    const page = JSON.parse(out);
    expect(page).toEqual({
      data: [{ id: expect.any(String), created: expect.any(Number), ...second, ...words }],
      has_more: true,
      next_cursor: expect.any(String),
      complete_since: null,
    });
    expect(err).toContain(`--before ${page.next_cursor}`);
    expect(await world.json('account', 'ledger', id, '--before', page.next_cursor)).toMatchObject({
      data: [first],
      has_more: false,
    });
    expect((await world.run('account', 'ledger', id)).out).toMatch(
      /^ENTRY +TIME +KIND +AMOUNT .*\n\d+ .* top_up +0\.5 /,
    );

    const { data: actions } = await world.json('action', 'list', '--subject', id, '--actor', `cli:${USER}`);
    expect(actions.map(({ action, reason }: Record<string, string>) => [action, reason])).toEqual([
      ['account.suspend', null],
      ['account.top_up', 'invoice 7'],
      ['account.top_up', 'trial'],
      ['account.create', 'trial'],
    ]);
    expect(actions[0]).toMatchObject({
      subject_kind: 'account',
      before: { state: 'active', balance: 2.5, created: expect.any(Number) },
      after: { state: 'suspended' },
    });
    const after = ['--after', String(actions[0].created + 3600)];
    expect(await world.json('action', 'list', '--subject', id, ...after)).toMatchObject({ data: [], has_more: false });
    expect((await world.json('action', 'list', '--subject', id, '--action', 'account.create')).data).toHaveLength(1);
    const people = await world.run('action', 'list', '--subject', id, '--limit', '1');
    expect(people.out).toContain('state active → suspended');
    expect(people.err).toContain('there are more: --before ');
  });
});

describe('account secret', () => {
  const openAccount = async () => (await world.json('account', 'create', '--name', 'Caller')).id as string;

  it('shows the secret that verifies the callbacks of the account, and notes who looked', async () => {
    const id = await openAccount();
    const { secret } = await world.json('account', 'secret', id);
    const { webhookSecret } = await world.database.account.findUniqueOrThrow({ where: { id } });
    expect(secret).toBe(webhookSecret);
    expect((await world.notes(id)).at(-1)).toEqual({
      actor: `cli:${USER}`,
      action: 'account.read_secret',
      detail: { outcome: 'done' },
    });
  });

  it('makes a new one beside which the old one signs for a while', async () => {
    const id = await openAccount();
    const before = await world.json('account', 'secret', id);
    expect(before.previous_valid_until).toBeNull();
    const after = await world.json('account', 'secret', id, '--rotate', '--overlap-hours', '2');
    expect(after.secret).toMatch(/^whsec_/);
    expect(after.secret).not.toBe(before.secret);
    const leftMs = after.previous_valid_until * 1000 - Date.now();
    expect(Math.round(leftMs / 60_000)).toBe(120);
    const kept = await world.database.account.findUniqueOrThrow({ where: { id } });
    expect(kept.previousWebhookSecret).toBe(before.secret);
    const notes = await world.notes(id);
    expect(notes.at(-1)).toMatchObject({ actor: `cli:${USER}`, action: 'account.rotate_secret' });
    expect(JSON.stringify(notes)).not.toContain('whsec_');
    const again = await world.run('account', 'secret', id, '--rotate');
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('two secrets are valid') });
    expect(
      (await world.json('account', 'secret', id, '--rotate', '--overlap-hours', '0')).previous_valid_until,
    ).toBeNull();
  });

  it('refuses an account that is not there, and an overlap without a rotation', async () => {
    expect(await world.run('account', 'secret', 'acct_none')).toMatchObject({ code: 1, out: '' });
    expect(await world.run('account', 'secret', 'acct_none', '--rotate')).toMatchObject({ code: 1, out: '' });
    const ran = await world.run('account', 'secret', await openAccount(), '--overlap-hours', '1');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('--rotate') });
  });
});

describe('what account commands do not take', () => {
  it.each([
    [['create', '--balance', '-1'], "'--balance <amount>'"],
    [['create', '--balance', '100000000.000000001'], "'--balance <amount>'"],
    [['create', '--name', ' '], "'--name <text>'"],
    [['top-up', 'acct_a', 'five'], "'amount'"],
    [['top-up', 'acct_a'], "'amount'"],
    [['top-up', 'acct_a', '5', '--note', 'x'.repeat(501)], "'--note <text>'"],
    [['secret', 'acct_a', '--rotate', '--overlap-hours', '721'], "'--overlap-hours <count>'"],
    [['list', 'everything'], 'too many arguments'],
  ])('account %j is not understood, and the message names %s', async (words, named) => {
    const { code, out, err } = await world.run('account', ...words);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(named) });
  });

  it('takes the largest and the smallest of each', async () => {
    await world.json('account', 'create', '--balance', '100000000', '--name', 'x'.repeat(200));
    const { id } = await world.json('account', 'create');
    const booked = await world.json('account', 'top-up', id, '0.000000001', '--note', 'x'.repeat(500));
    expect(booked.balance).toBe(1e-9);
    // A number of JSON would not be exactly that.
    await world.json('account', 'top-up', id, '98765432.123456789');
    expect(await balanceOf(id)).toBe(98_765_432_123_456_790n);
  });
});
