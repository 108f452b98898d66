import { newTaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { DatabaseConflictError, DatabaseUnavailableError, type TrancheRow } from '@mediagate/database';
import { runSql } from '@mediagate/testkit';
import {
  audit,
  Credit,
  changeKey,
  createFinisher,
  createSubmitter,
  type Drawn,
  type Finish,
  findShortage,
  readAccountBalance,
  readKeyBalance,
  type Submission,
  submitOnceCreditIsIn,
  suspendAccount,
} from '../src';
import { type Books, fundedKey, openBooks, type Payer, standing, submission } from './books';
import { completedText, failedText, RESERVED, textOf } from './texts';

const SYSTEM = { actor: 'test', reason: 'a test' } as const;
const LIMIT = 1000n;
const SECONDS = 10;

let books: Books;
const processes: Process[] = [];

beforeAll(async () => {
  books = await openBooks(20);
});
afterEach(async () => {
  for (const { credit } of processes.splice(0)) await credit.close();
  expect(await audit(books.database)).toEqual([]);
});
afterAll(() => books.close());

type BookDrawn = Database['bookDrawn'];

interface Process {
  credit: Credit;
  finish(finish: Finish): ReturnType<ReturnType<typeof createFinisher>>;
  submit(submission: Submission): ReturnType<ReturnType<typeof createSubmitter>>;
}

/** What an API process has of the books; `bookDrawn` may be disturbed. */
function openProcess({ bookDrawn, seconds = SECONDS }: { bookDrawn?: BookDrawn; seconds?: number } = {}): Process {
  const { database } = books;
  const finish = createFinisher(database);
  const submit = submitOnceCreditIsIn(database, { submit: createSubmitter(database), waitMs: 5_000 });
  const disturbed = { tally: database.tally, bookDrawn: bookDrawn ?? database.bookDrawn };
  const credit = new Credit(disturbed, { limitNano: LIMIT, seconds, submit, finish });
  const opened = { credit, finish, submit };
  processes.push(opened);
  return opened;
}

/** Tries until the process has credit of the key. */
async function drawSoon({ credit }: Process, payer: Payer, more: Partial<Submission> = {}): Promise<Drawn> {
  for (;;) {
    const drawn = credit.draw(textOf(payer, more));
    if (drawn) return drawn;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const creditOf = async ({ accountId }: Payer) =>
  (await books.database.account.findUniqueOrThrow({ where: { id: accountId } })).creditNano;

/** Everything that is written of a task, without what differs between any two. */
async function rowsOf(taskId: string) {
  const [task, reservation, entries, attempts] = await Promise.all([
    books.database.task.findUniqueOrThrow({ where: { id: taskId } }),
    books.database.reservation.findUniqueOrThrow({ where: { taskId } }),
    books.database.ledgerEntry.findMany({ where: { taskId }, orderBy: { id: 'asc' } }),
    books.database.taskAttempt.findMany({ where: { taskId } }),
  ]);
  const own = new Set(['id', 'taskId', 'accountId', 'keyId', 'balanceAfterNano']);
  const plain = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, own.has(name) || value instanceof Date ? typeof value : value]),
    );
  return {
    task: plain(task),
    reservation: plain(reservation),
    entries: entries.map(plain),
    attempts: attempts.map(plain),
  };
}

it.each([
  ['completed', completedText],
  ['completed beyond what was reserved', (item: Submission) => completedText(item, 25n)],
  ['failed', failedText],
])('a text that is drawn and has %s leaves the rows that one leaves which was booked first', async (_what, endOf) => {
  const payer = await fundedKey(books.database, 100_000n, { quotaNano: 50_000n });
  const here = openProcess();
  const exact = textOf(payer, { metadata: { order: '7' } });
  expect(await here.submit(exact)).toEqual({ kind: 'accepted' });
  await here.finish(endOf(exact));

  const drawn = await drawSoon(here, payer, { metadata: { order: '7' } });
  const finished = await here.credit.end(drawn, endOf(drawn.submission));

  expect(finished).toMatchObject({ won: true });
  const { taskId } = drawn.submission;
  expect(await rowsOf(taskId)).toEqual(await rowsOf(exact.taskId));
  expect(await runSql(books.database, 'select 1 as one from task_labels where task_id = $1', [taskId])).toHaveLength(1);
});

it('what is taken counts as held, in every balance that is shown, and comes back whole', async () => {
  const payer = await fundedKey(books.database, 100_000n, { quotaNano: 50_000n });
  const here = openProcess();
  const drawn = await drawSoon(here, payer);
  const taken = await creditOf(payer);
  expect(taken).toBeGreaterThanOrEqual(RESERVED);
  expect(taken).toBeLessThanOrEqual(LIMIT);
  expect(await audit(books.database)).toEqual([]);
  expect(await readAccountBalance(books.database, payer.accountId)).toMatchObject({
    heldNano: taken,
    remainNano: 100_000n - taken,
  });
  expect(await readKeyBalance(books.database, payer.keyId)).toMatchObject({
    heldNano: taken,
    remainNano: 50_000n - taken,
  });
  // What can be called in is no shortage; what is shown is without it.
  expect(await findShortage(books.database, payer.keyId, 50_000n)).toBeUndefined();
  expect(await findShortage(books.database, payer.keyId, 50_001n)).toEqual({
    of: 'key',
    availableNano: 50_000n - taken,
    heldNano: taken,
  });

  await here.credit.end(drawn, completedText(drawn.submission));
  await here.credit.close();
  expect(await creditOf(payer)).toBe(0n);
  expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 100_000n, held: 0n, settled: 3n });
});

it('a booking whose answer was lost is sent again, and booked once', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  let losing = 0;
  const here = openProcess({
    async bookDrawn(...args) {
      const rows = await books.database.bookDrawn(...args);
      if (losing > 0 && args[1].length > 0) {
        losing -= 1;
        throw new DatabaseUnavailableError(new Error('the answer was lost'));
      }
      return rows;
    },
  });
  const drawn = await drawSoon(here, payer);
  losing = 2;
  await expect(here.credit.end(drawn, completedText(drawn.submission))).rejects.toThrow(DatabaseUnavailableError);
  expect(await here.credit.end(drawn, completedText(drawn.submission))).toMatchObject({ won: true });
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 3n });

  // The same of one that is booked while it runs.
  const lasting = await drawSoon(here, payer);
  losing = 2;
  here.credit.look(performance.now() + SECONDS * 1000);
  await expect(lasting.beingBooked).rejects.toThrow(DatabaseUnavailableError);
  expect(await here.credit.end(lasting, completedText(lasting.submission))).toMatchObject({ won: true });
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 6n });
});

it('a text that lasts is booked as one that runs, under its lease, and ends as every other', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  const here = openProcess();
  const drawn = await drawSoon(here, payer);
  const { taskId } = drawn.submission;
  here.credit.look(performance.now() + SECONDS * 1000);
  await drawn.beingBooked;
  const task = await books.database.task.findUniqueOrThrow({ where: { id: taskId } });
  expect(task).toMatchObject({ status: 'processing', fence: 0, runBySubmitter: true, costNano: null });
  expect(task.leaseUntil?.getTime()).toBeGreaterThan(Date.now());
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: RESERVED, settled: 0n });
  expect(await audit(books.database)).toEqual([]);
  expect(await here.credit.end(drawn, completedText(drawn.submission))).toMatchObject({ won: true });
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 3n });
});

describe('once its tranche has lapsed, a drawn text', () => {
  async function lapsed(balance: bigint) {
    const payer = await fundedKey(books.database, balance);
    const here = openProcess();
    const drawn = await drawSoon(here, payer);
    await runSql(books.database, `update credit_tranches set expires_at = now() - interval '1 second' where id = $1`, [
      drawn.tranche.id,
    ]);
    const ids = (await books.database.findLapsedTranches(100)).map(({ id }) => id);
    expect(await books.database.lapseTranches(ids)).toEqual([{ lapsed: 1n }]);
    expect(await creditOf(payer)).toBe(0n);
    return { payer, here, drawn };
  }

  it('is booked as if nothing had been drawn', async () => {
    const { payer, here, drawn } = await lapsed(100_000n);
    expect(await here.credit.end(drawn, completedText(drawn.submission))).toMatchObject({ won: true });
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 3n });
  });

  it('is not charged where the balance does not do', async () => {
    const { payer, here, drawn } = await lapsed(100_000n);
    await here.submit(submission(payer, 99_995n));
    await expect(here.credit.end(drawn, completedText(drawn.submission))).rejects.toThrow(
      'not covered any more: insufficient',
    );
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 99_995n, settled: 0n });
  });
});

it('a tranche that was renewed meanwhile does not lapse', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  const drawn = await drawSoon(openProcess(), payer);
  expect(await books.database.lapseTranches([drawn.tranche.id])).toEqual([{ lapsed: 0n }]);
  expect(await creditOf(payer)).toBeGreaterThan(0n);
});

it('the statement itself books nothing beyond what is left of a tranche', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  const { tranche } = await drawSoon(openProcess(), payer);
  const { id, accountId, keyId } = tranche;
  const options = { lifeMs: 15_000, headroom: 4, lockWaitMs: 250 };
  const wish = { id, accountId, keyId, opens: false, wantedNano: LIMIT };
  const items = [LIMIT, 1n].map((reserved) => ({
    tranche: 1,
    taskId: newTaskId(),
    payload: JSON.stringify({
      ...textOf(payer),
      reservedNano: undefined,
      rates: {},
      status: 'failed',
      reserved: String(reserved),
      calls: [],
    }),
  }));
  await books.database.bookDrawn([wish], [], options);
  expect(await books.database.bookDrawn([wish], items, options)).toMatchObject([{ booked: false, goes_on: false }]);
  expect(await books.database.task.count({ where: { accountId } })).toBe(0);
});

describe('nothing more is drawn', () => {
  const stopped = async (here: Process, payer: Payer) => {
    for (;;) {
      const drawn = here.credit.draw(textOf(payer));
      if (drawn === undefined) return;
      await here.credit.end(drawn, completedText(drawn.submission));
    }
  };

  it.each([
    ['of a suspended account', ({ accountId }: Payer) => suspendAccount(books.database, accountId, SYSTEM)],
    [
      'of a revoked key',
      ({ keyId }: Payer) => runSql(books.database, 'update api_keys set revoked_at = now() where id = $1', [keyId]),
    ],
    [
      'of a key that gets a limit',
      ({ keyId }: Payer) => changeKey(books.database, { id: keyId, settings: { maxConcurrent: 1 } }, SYSTEM),
    ],
    [
      'of a key whose quota was lowered',
      ({ keyId }: Payer) => changeKey(books.database, { id: keyId, settings: { quotaNano: 500n } }, SYSTEM),
    ],
    [
      'of an account that has little left',
      (payer: Payer) => createSubmitter(books.database)(submission(payer, 99_000n)),
    ],
  ])('%s, from the next booking on', async (_what, change) => {
    const payer = await fundedKey(books.database, 100_000n);
    const here = openProcess();
    const drawn = await drawSoon(here, payer);
    await change(payer);
    await here.credit.end(drawn, completedText(drawn.submission));
    await stopped(here, payer);
    here.credit.look();
    while ((await creditOf(payer)) > 0n) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it.each([
    { nano: 4n * 16n * RESERVED - 1n, isTaken: false },
    { nano: 4n * 16n * RESERVED, isTaken: true },
  ])(
    'of an account that has less than four tranches of money, however often the database is asked: $nano',
    async ({ nano, isTaken }) => {
      const payer = await fundedKey(books.database, nano);
      const rows: TrancheRow[] = [];
      const here = openProcess({
        async bookDrawn(...args) {
          const answered = await books.database.bookDrawn(...args);
          rows.push(...answered);
          return answered;
        },
      });
      let drawn: Drawn | undefined;
      // Each of the first two opens a tranche; the second comes after the rest that a refusal brings.
      while (drawn === undefined && rows.filter(({ version }) => version === 1n).length < 2) {
        drawn = here.credit.draw(textOf(payer));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(drawn !== undefined).toBe(isTaken);
      expect(rows.some(({ left_nano: left }) => left > 0n)).toBe(isTaken);
      if (drawn) here.credit.forget(drawn);
    },
  );
});

/** Statements of tranches fail with the error for as long as it is set. */
function openDisturbed() {
  const disturbance: { error?: Error | undefined; tries: number } = { tries: 0 };
  const here = openProcess({
    bookDrawn(...args) {
      if (disturbance.error === undefined) return books.database.bookDrawn(...args);
      disturbance.tries += 1;
      return Promise.reject(disturbance.error);
    },
  });
  return { here, disturbance };
}

describe.each([
  ['is away', new DatabaseUnavailableError(new Error('away'))],
  ['has the row of the account held', new DatabaseConflictError(new Error('lock timeout'))],
])('while the database %s', (_what, error) => {
  it('what is to be given back waits, and is given back as soon as it may', async () => {
    const payer = await fundedKey(books.database, 100_000n);
    const { here, disturbance } = openDisturbed();
    here.credit.forget(await drawSoon(here, payer));
    disturbance.error = error;
    here.credit.look(performance.now() + 1000);
    while (disturbance.tries < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await creditOf(payer)).toBeGreaterThan(0n);
    disturbance.error = undefined;
    while ((await creditOf(payer)) > 0n) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(
      await runSql(books.database, 'select 1 from credit_tranches where account_id = $1', [payer.accountId]),
    ).toEqual([]);
  });

  it('an end that could not be written is written without being asked for again, once', async () => {
    const payer = await fundedKey(books.database, 100_000n);
    const { here, disturbance } = openDisturbed();
    const drawn = await drawSoon(here, payer);
    disturbance.error = error;
    await expect(here.credit.end(drawn, completedText(drawn.submission))).rejects.toBe(error);
    disturbance.error = undefined;
    while ((await standing(books.database, payer.accountId)).settled === 0n)
      await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await here.credit.end(drawn, completedText(drawn.submission))).toEqual({ won: true, overrunNano: 0n });
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 3n });
  });
});

it('a text that the database could not take for ten minutes holds no credit any more, and is booked once if it ends after all', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  const { here, disturbance } = openDisturbed();
  const drawn = await drawSoon(here, payer);
  disturbance.error = new DatabaseUnavailableError(new Error('away'));
  here.credit.look(performance.now() + 10 * 60_000 - 1000);
  expect(drawn.tranche.isSpent).toBe(false);
  await expect(drawn.beingBooked).rejects.toThrow(DatabaseUnavailableError);
  here.credit.look(performance.now() + 10 * 60_000 + 1);
  expect(drawn.tranche.isSpent).toBe(true);
  disturbance.error = undefined;
  while ((await creditOf(payer)) > 0n) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 0n });
  expect(await here.credit.end(drawn, completedText(drawn.submission))).toMatchObject({ won: true });
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 3n });
});

it('a process that closes while it takes credit has none afterwards', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const here = openProcess({
    async bookDrawn(...args) {
      asked();
      await mayAnswer;
      return books.database.bookDrawn(...args);
    },
  });
  for (let count = 0; count < 8; count += 1) expect(here.credit.draw(textOf(payer))).toBeUndefined();
  await isAsked;
  const closed = here.credit.close();
  answer();
  await closed;
  expect(
    await runSql(books.database, 'select 1 from credit_tranches where account_id = $1', [payer.accountId]),
  ).toEqual([]);
  expect(await creditOf(payer)).toBe(0n);
});

it('a process that closes books what still runs, and gives back the rest', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  const here = openProcess();
  const drawn = await drawSoon(here, payer);
  await here.credit.close();
  expect(await creditOf(payer)).toBe(0n);
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: RESERVED, settled: 0n });
  expect(await here.credit.end(drawn, completedText(drawn.submission))).toMatchObject({ won: true });
  expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 3n });
});

it('of 200 texts on money for 50 over three processes that have taken credit, 50 are paid', async () => {
  const payer = await fundedKey(books.database, 100_000n);
  const here = [1, 2, 3].map(() => openProcess());
  for (const each of here) each.credit.forget(await drawSoon(each, payer));
  const taken = await creditOf(payer);
  expect(taken).toBeGreaterThan(0n);
  // What is left beside is taken by something else: most of the money for texts is with the three.
  expect(await here[0]?.submit(submission(payer, 100_000n - 50n * RESERVED))).toEqual({ kind: 'accepted' });
  expect(await creditOf(payer)).toBeGreaterThan(0n);

  const ways = { drawn: 0 };
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const each = here[index % 3] as Process;
      const item = textOf(payer);
      const drawn = each.credit.draw(item);
      if (drawn === undefined) return (await each.submit(item)).kind;
      ways.drawn += 1;
      await each.credit.end(drawn, completedText(item, RESERVED));
      return 'accepted';
    }),
  );
  expect(ways.drawn).toBeGreaterThan(0);
  const count = (kind: string) => outcomes.filter((each) => each === kind).length;
  expect({ accepted: count('accepted'), insufficient: count('insufficient') }).toEqual({
    accepted: 50,
    insufficient: 150,
  });
});
