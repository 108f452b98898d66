import { type Database, DatabaseBusyError, DatabaseConflictError, DatabaseUnavailableError } from '@mediagate/database';
import { runSql } from '@mediagate/testkit';
import {
  audit,
  Credit,
  changeKey,
  createFinisher,
  createSubmitter,
  findShortage,
  type Submission,
  submitOnceCreditIsIn,
} from '../src';
import { type Books, fundedKey, type HeldRow, holdRow, openBooks, type Payer, submission } from './books';
import { completedText, RESERVED, textOf } from './texts';

const SYSTEM = { actor: 'test', reason: 'a test' } as const;
const LIMIT = 1000n;
const BALANCE = 100_000n;
/** Longer than any test, so that whoever is refused in time was not refused by it. */
const PATIENCE_MS = 600_000;

let books: Books;
const open: Credit[] = [];

beforeAll(async () => {
  books = await openBooks(20);
});
afterEach(async () => {
  for (const credit of open.splice(0)) await credit.close();
  expect(await audit(books.database)).toEqual([]);
});
afterAll(() => books.close());

type CallIn = Database['callCreditIn'];

/** The way into the books, which counts how often it called credit in, and how often at once. */
function openSubmit({ waitMs = PATIENCE_MS, callIn }: { waitMs?: number; callIn?: CallIn } = {}) {
  const { database } = books;
  const calls = { all: 0, now: 0, most: 0 };
  const counted: CallIn = async (...args) => {
    calls.all += 1;
    calls.now += 1;
    calls.most = Math.max(calls.most, calls.now);
    try {
      return await (callIn ?? database.callCreditIn)(...args);
    } finally {
      calls.now -= 1;
    }
  };
  const submit = submitOnceCreditIsIn({ callCreditIn: counted }, { submit: createSubmitter(database), waitMs });
  return { submit, calls };
}

/** A process that has credit of the payer, and one text drawn from it. */
async function takeCredit(payer: Payer) {
  const { database } = books;
  const submit = createSubmitter(database);
  const credit = new Credit(database, { limitNano: LIMIT, seconds: 10, submit, finish: createFinisher(database) });
  open.push(credit);
  for (;;) {
    const drawn = credit.draw(textOf(payer));
    if (drawn) return { credit, drawn };
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function standingOf({ accountId }: Payer) {
  const { creditNano, heldNano } = await books.database.account.findUniqueOrThrow({ where: { id: accountId } });
  return { credit: creditNano, held: heldNano };
}

const wasCalled = async ({ accountId }: Payer): Promise<boolean> =>
  (await runSql(books.database, 'select 1 from accounts where id = $1 and credit_called_at is not null', [accountId]))
    .length > 0;

describe('a submission that only credit is short of', () => {
  it.each([
    ['of the account', {}],
    ['of the key', { quotaNano: BALANCE }],
  ])('gets what it needs %s, and is no shortage to who asks before', async (_what, key) => {
    const payer = await fundedKey(books.database, BALANCE, key);
    const { credit, drawn } = await takeCredit(payer);
    credit.forget(drawn);
    expect(await findShortage(books.database, payer.keyId, BALANCE)).toBeUndefined();
    const { submit } = openSubmit();
    expect(await submit(submission(payer, BALANCE))).toEqual({ kind: 'accepted' });
    expect(await standingOf(payer)).toEqual({ credit: 0n, held: BALANCE });
  });

  it('gets it of a quota that another key shares, whose texts it was taken for', async () => {
    const owner = await fundedKey(books.database, BALANCE, { quotaNano: 50_000n });
    const made = await fundedKey(books.database, 0n);
    await runSql(books.database, 'update api_keys set account_id = $1, maker_id = $2 where id = $3', [
      owner.accountId,
      owner.keyId,
      made.keyId,
    ]);
    const { credit, drawn } = await takeCredit({ ...owner, keyId: made.keyId });
    credit.forget(drawn);
    expect(await findShortage(books.database, owner.keyId, 50_000n)).toBeUndefined();
    expect(await findShortage(books.database, owner.keyId, 50_001n)).toMatchObject({ of: 'key' });
    expect(await openSubmit().submit(submission(owner, 50_000n))).toEqual({ kind: 'accepted' });
  });

  it('is refused once what is out turns out to be spent', async () => {
    const payer = await fundedKey(books.database, BALANCE);
    const { credit, drawn } = await takeCredit(payer);
    const { submit } = openSubmit();
    const refused = submit(submission(payer, BALANCE));
    while (!(await wasCalled(payer))) await new Promise((resolve) => setTimeout(resolve, 1));
    await credit.end(drawn, completedText(drawn.submission));
    expect(await refused).toMatchObject({ kind: 'insufficient', of: 'account' });
  });
});

describe('where credit cannot help, a submission is refused at once and none is called in:', () => {
  it.each([
    ['beyond the balance with all of it', {}, BALANCE + 1n, 'account'],
    ['beyond what the books can hold', {}, 2n ** 70n, 'account'],
    ['beyond the quota of its key with all of it', { quotaNano: 50_000n }, 50_001n, 'key'],
  ])('%s', async (_what, key, amount, of) => {
    const payer = await fundedKey(books.database, BALANCE, key);
    await takeCredit(payer);
    const { submit, calls } = openSubmit();
    expect(await submit(submission(payer, amount))).toMatchObject({ kind: 'insufficient', of });
    expect(calls.all).toBe(1);
    expect(await wasCalled(payer)).toBe(false);
  });

  it('by the quota of a key that has no credit out, whatever others of its account have', async () => {
    const payer = await fundedKey(books.database, BALANCE);
    const poor = await fundedKey(books.database, 0n);
    await runSql(books.database, 'update api_keys set account_id = $1 where id = $2', [payer.accountId, poor.keyId]);
    const poorOfPayer = { ...payer, keyId: poor.keyId };
    await changeKey(books.database, { id: poor.keyId, settings: { quotaNano: 5n } }, SYSTEM);
    await takeCredit(payer);
    const { submit, calls } = openSubmit();
    expect(await submit(submission(poorOfPayer, 6n))).toMatchObject({ kind: 'insufficient', of: 'key' });
    expect(calls.all).toBe(1);
    expect(await wasCalled(payer)).toBe(false);
  });
});

it('all that wait for credit of one account share one statement at a time, and those beyond 128 are refused at once', async () => {
  const payer = await fundedKey(books.database, BALANCE);
  await takeCredit(payer);
  const waiting: number[] = [];
  const { submit, calls } = openSubmit({
    waitMs: 300,
    callIn: (accountId, needs) => {
      waiting.push(needs.length);
      return books.database.callCreditIn(accountId, needs);
    },
  });
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => submit(submission(payer, BALANCE))));
  expect(outcomes.every(({ kind }) => kind === 'insufficient')).toBe(true);
  expect(calls.most).toBe(1);
  expect(Math.max(...waiting)).toBeGreaterThan(1);
  expect(Math.max(...waiting)).toBeLessThanOrEqual(128);
});

describe('where the statement that calls credit in', () => {
  it('loses a race, it is sent again, and the submission gets what it needs', async () => {
    const payer = await fundedKey(books.database, BALANCE);
    const { credit, drawn } = await takeCredit(payer);
    credit.forget(drawn);
    let losses = 3;
    const { submit } = openSubmit({
      callIn(...args) {
        losses -= 1;
        return losses < 0
          ? books.database.callCreditIn(...args)
          : Promise.reject(new DatabaseConflictError(new Error('deadlock')));
      },
    });
    expect(await submit(submission(payer, BALANCE))).toEqual({ kind: 'accepted' });
  });

  it('loses every race, the submission is refused for money when its time is up', async () => {
    const payer = await fundedKey(books.database, BALANCE);
    await takeCredit(payer);
    const callIn = () => Promise.reject(new DatabaseConflictError(new Error('deadlock')));
    const { submit } = openSubmit({ waitMs: 200, callIn });
    expect(await submit(submission(payer, BALANCE))).toMatchObject({ kind: 'insufficient' });
  });

  it('finds no database, the submission fails as any that finds none', async () => {
    const payer = await fundedKey(books.database, BALANCE);
    await takeCredit(payer);
    const callIn = () => Promise.reject(new DatabaseUnavailableError(new Error('away')));
    await expect(openSubmit({ callIn }).submit(submission(payer, BALANCE))).rejects.toThrow(DatabaseUnavailableError);
  });
});

/** Once credit is back and before anybody is asked again, the account's row is held, until `isLong`; what 20 that want all of its money are answered. */
async function outcomesWhileHeld({ isLong, waitMs }: { isLong(): boolean; waitMs: number }) {
  const payer = await fundedKey(books.database, BALANCE);
  const { credit, drawn } = await takeCredit(payer);
  let held: HeldRow | undefined;
  const { submit } = openSubmit({
    waitMs,
    async callIn(...args) {
      const rows = await books.database.callCreditIn(...args);
      if (rows.some(({ covered }) => covered)) held ??= await holdRow(books.database, 'accounts', payer.accountId);
      return rows;
    },
  });
  const decided = Promise.allSettled(Array.from({ length: 20 }, () => submit(submission(payer, BALANCE))));
  while (!(await wasCalled(payer))) await new Promise((resolve) => setTimeout(resolve, 1));
  credit.forget(drawn);
  while (!isLong()) await new Promise((resolve) => setTimeout(resolve, 1));
  await held?.letGo();
  return (await decided).map((each) => (each.status === 'fulfilled' ? each.value.kind : String(each.reason)));
}

const tallyOf = (name: 'submissions' | 'lone_submissions') => books.database.tally(name).batches;

describe('where the row of the account is held for longer than a batch waits, once credit is back, nobody is refused as if there were no database:', () => {
  it('they are decided as soon as it is free', async () => {
    const before = tallyOf('lone_submissions');
    const isLong = () => tallyOf('lone_submissions') > before;
    const kinds = await outcomesWhileHeld({ isLong, waitMs: PATIENCE_MS });
    expect(kinds.sort()).toEqual(['accepted', ...Array.from({ length: 19 }, () => 'insufficient')]);
  });

  it.each([
    ['busy', 'insufficient', new DatabaseBusyError(new Error('4 items wait already'))],
    ['held', 'insufficient', new DatabaseConflictError(new Error('lock timeout'))],
    ['gone with the database', 'DatabaseUnavailableError', new DatabaseUnavailableError(new Error('away'))],
  ])('and where it stays %s until the time is up, the answer is %s', async (_what, expected, error) => {
    let tries = 0;
    const submit = submitOnceCreditIsIn(
      { callCreditIn: async (_accountId, needs) => needs.map(() => ({ covered: true, coverable: true })) },
      {
        waitMs: 200,
        async submit() {
          tries += 1;
          if (tries > 1) throw error;
          return { kind: 'insufficient', of: 'account', availableNano: 0n, heldNano: 0n };
        },
      },
    );
    const item = submission({ accountId: 'a', keyId: 'k' }, BALANCE);
    expect(
      await submit(item).then(
        ({ kind }) => kind,
        ({ name }: Error) => name,
      ),
    ).toBe(expected);
    expect(tries).toBeGreaterThan(1);
  });
});

it('while one is refused the credit of another account goes on', async () => {
  const [payer, other] = [await fundedKey(books.database, BALANCE), await fundedKey(books.database, BALANCE)];
  await takeCredit(payer);
  const { credit, drawn } = await takeCredit(other);
  const { submit } = openSubmit({ waitMs: 200 });
  const item: Submission = submission(payer, BALANCE);
  expect(await submit(item)).toMatchObject({ kind: 'insufficient' });
  expect(await wasCalled(payer)).toBe(true);
  expect(await wasCalled(other)).toBe(false);
  await credit.end(drawn, completedText(drawn.submission, RESERVED));
});
