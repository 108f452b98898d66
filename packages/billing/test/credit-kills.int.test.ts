import { setTimeout as delay } from 'node:timers/promises';
import { prismaOf, runSql } from '@mediagate/testkit';
import { audit, createFinisher, createSubmitter, taskError } from '../src';
import { type Books, fundedKey, openBooks, type Payer, standing, submission } from './books';
import { type CreditProcess, openCreditProcess, type TextLine } from './credit-children';
import { COST, RESERVED } from './texts';

/** Of three processes at once, each with credit of every payer, in whatever state that is in. `CREDIT_KILLS=17`: over a thousand. */
const ROUNDS = Number(process.env['CREDIT_KILLS'] ?? 2);
const PROCESSES = 3;
const PAYERS = 20;
const LIMIT = 1000n;
const SECONDS = 1;
/** What a dead process has taken lapses by the clock after so long. */
const LIFE_MS = 3000;
const BALANCE = 1_000_000n;
/** Between a kill at once and one in the middle of it. */
const LIVES_MS = 600;
/** Beside `SECONDS`: what a statement takes on a busy machine. */
const BUSY_MS = 4000;
const SETTINGS = { LIMIT: String(LIMIT), SECONDS, LIFE_MS };
/** Of a process whose statements are held up: it draws for longer without having asked. */
const HELD_UP = { LIMIT: String(LIMIT), SECONDS: 5, LIFE_MS: 6000 };
const ENDS_WITHIN_MS = Math.max(600_000, ROUNDS * 60_000);
/** An audit of all that a thousand kills have left. */
const AUDIT_WITHIN_MS = 120_000;

let books: Books;
let open: CreditProcess[] = [];
beforeAll(async () => {
  books = await openBooks(10, AUDIT_WITHIN_MS);
});
afterEach(async () => {
  await Promise.all(open.map((each) => each.kill().catch(() => undefined)));
  open = [];
  expect(await audit(books.database)).toEqual([]);
});
afterAll(() => books.close());

function openProcess(payers: readonly Payer[], settings: Record<string, string | number> = SETTINGS): CreditProcess {
  const opened = openCreditProcess(books.databaseUrl, payers, settings);
  open.push(opened);
  return opened;
}

async function kill(process: CreditProcess): Promise<number> {
  open = open.filter((each) => each !== process);
  return (await process.kill()).diedAt;
}

async function fundPayers(count: number): Promise<Payer[]> {
  const payers: Payer[] = [];
  while (payers.length < count) payers.push(await fundedKey(books.database, BALANCE));
  return payers;
}

const drawsOfAll = (payers: readonly Payer[]) => (lines: readonly TextLine[]) =>
  new Set(lines.filter(({ way }) => way === 'drawn').map(({ accountId }) => accountId)).size === payers.length;

/** What the reconciler does: tranches lapse by the clock, and tasks whose lease nobody renews are ended. */
async function recover(): Promise<void> {
  await untilNobodyBooks();
  await untilLapsed();
  const finish = createFinisher(books.database);
  const left = await books.database.task.findMany({ where: { status: 'processing' } });
  const outcome = { kind: 'failed', error: taskError('internal_error') } as const;
  await Promise.all(
    left.map(({ id, accountId }) => finish({ taskId: id as `task_${string}`, accountId, fence: 'any', outcome })),
  );
}

async function untilLapsed(): Promise<void> {
  const { database } = books;
  while ((await runSql(database, 'select 1 from credit_tranches')).length > 0) {
    const ids = (await database.findLapsedTranches(1000)).map(({ id }) => id);
    if (ids.length > 0) await database.lapseTranches(ids);
    else await delay(20);
  }
}

/** Statements that were sent before the kill may still be under way. */
async function untilNobodyBooks(): Promise<void> {
  const sessions = `select pid from pg_stat_activity where datname = current_database() and application_name = 'credit-process'`;
  while ((await runSql(books.database, sessions)).length > 0) await delay(5);
}

/** Nothing is written to any account until it is let go. */
async function lockBooks(): Promise<{ lockedAt: number; letGo(): Promise<void> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { ended } = await new Promise<{ ended: Promise<void> }>((locked, failed) => {
    const ended = prismaOf(books.database).$transaction(
      async (transaction) => {
        await transaction.$executeRawUnsafe('set local idle_in_transaction_session_timeout = 0');
        await transaction.$executeRawUnsafe('lock table accounts in exclusive mode');
        locked({ ended });
        await released;
      },
      { timeout: ENDS_WITHIN_MS },
    );
    ended.catch(failed);
  });
  return {
    lockedAt: Date.now(),
    async letGo() {
      release();
      await ended;
    },
  };
}

const drawnAfter = (process: CreditProcess, moment: number) =>
  process.lines().filter(({ way, beganAt }) => way === 'drawn' && beganAt > moment);

async function findBooked(lines: readonly TextLine[]): Promise<Set<string>> {
  const ids = lines.map(({ taskId }) => taskId);
  const rows = await books.database.task.findMany({ where: { id: { in: ids } }, select: { id: true, status: true } });
  return new Set(rows.map(({ id }) => id));
}

/** What is charged is what the books say was completed, and nothing is held. */
async function expectWhole({ accountId }: Payer): Promise<void> {
  const completed = await books.database.task.count({ where: { accountId, status: 'completed' } });
  const settled = BigInt(completed) * COST;
  expect(await standing(books.database, accountId)).toEqual({ toppedUp: BALANCE, held: 0n, settled });
  expect(await books.database.account.count({ where: { id: accountId, creditNano: 0n } })).toBe(1);
}

/** No more than its credit, and nothing older than it may be in no books. */
function expectBounded(lost: readonly TextLine[], payers: readonly Payer[], diedAt: number): void {
  for (const { way, beganAt } of lost) {
    expect(way).toBe('drawn');
    expect(diedAt - beganAt).toBeLessThan(SECONDS * 1000 + BUSY_MS);
  }
  for (const { accountId } of payers) {
    const ofAccount = lost.filter((text) => text.accountId === accountId).length;
    expect(BigInt(ofAccount) * RESERVED).toBeLessThanOrEqual(LIMIT);
  }
}

const TRIALS = ROUNDS * PROCESSES * PAYERS;

it(
  `${TRIALS} kills at any point, three processes at once: books that are whole, nothing held for the dead, and no more lost than their credit`,
  async () => {
    const payers = await fundPayers(PAYERS);
    const counted = { answered: 0, lost: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const processes = Array.from({ length: PROCESSES }, () => openProcess(payers));
      const deaths = processes.map(async (each) => {
        await each.until(drawsOfAll(payers));
        await delay(Math.random() * LIVES_MS);
        return { lines: each.lines(), diedAt: await kill(each) };
      });
      const dead = await Promise.all(deaths);
      await recover();
      expect(await audit(books.database)).toEqual([]);
      for (const { lines, diedAt } of dead) {
        const booked = await findBooked(lines);
        const lost = lines.filter(({ taskId }) => !booked.has(taskId));
        expectBounded(lost, payers, diedAt);
        counted.answered += lines.length;
        counted.lost += lost.length;
      }
      for (const payer of payers) await expectWhole(payer);
    }
    process.stdout.write(`${counted.answered} texts answered, ${counted.lost} of them lost with ${TRIALS} kills\n`);
  },
  ENDS_WITHIN_MS,
);

/** A process that has answered texts which are in no books, since these are locked. */
async function openHeldUp(payers: readonly Payer[]) {
  const process = openProcess(payers, HELD_UP);
  await process.until(drawsOfAll(payers));
  const { lockedAt, letGo } = await lockBooks();
  process.send('more');
  await process.until(() => drawnAfter(process, lockedAt).length > 0);
  return { process, lockedAt, letGo };
}

it(
  'what is answered and not booked when its process dies is in no books, and nobody is charged for it',
  async () => {
    const payers = await fundPayers(PAYERS);
    const { process, lockedAt, letGo } = await openHeldUp(payers);
    const diedAt = await kill(process);
    // Its statements give up before the books are written to again.
    await untilNobodyBooks();
    await letGo();
    await recover();
    const lost = drawnAfter(process, lockedAt);
    expect(await findBooked(lost)).toEqual(new Set());
    expectBounded(lost, payers, diedAt);
    for (const payer of payers) await expectWhole(payer);
  },
  ENDS_WITHIN_MS,
);

it(
  'a process that is frozen until its credit has lapsed by the clock books all that it had answered, once it goes on',
  async () => {
    const payers = await fundPayers(PAYERS);
    const { process, lockedAt, letGo } = await openHeldUp(payers);
    process.signal('SIGSTOP');
    const answered = drawnAfter(process, lockedAt);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and application_name = 'credit-process' and state = 'active'`;
    while ((await runSql(books.database, waiting)).length > 0) await delay(5);
    await letGo();
    await untilLapsed();
    expect(await findBooked(answered)).toEqual(new Set());
    process.signal('SIGCONT');
    const ids = answered.map(({ taskId }) => taskId);
    const completed = () => books.database.task.count({ where: { id: { in: ids }, status: 'completed' } });
    while ((await completed()) < ids.length) await delay(20);
    await kill(process);
    await recover();
    for (const payer of payers) await expectWhole(payer);
  },
  ENDS_WITHIN_MS,
);

it(
  'of 200 texts on money for 50, sent at once by three processes that have taken credit, 50 are paid',
  async () => {
    const payer = await fundedKey(books.database, 100_000n);
    const texts = [67, 67, 66];
    const processes = texts.map((RACE) => openProcess([payer], { LIMIT: String(LIMIT), SECONDS: 10, RACE }));
    await Promise.all(processes.map((each) => each.until((lines) => lines.length > 0)));
    // Most of the money for texts is with the three.
    const rest = submission(payer, 100_000n - 50n * RESERVED);
    expect(await createSubmitter(books.database)(rest)).toEqual({ kind: 'accepted' });
    const { creditNano } = await books.database.account.findUniqueOrThrow({ where: { id: payer.accountId } });
    expect(creditNano).toBeGreaterThan(25n * RESERVED);
    for (const each of processes) each.send('go');
    await Promise.all(processes.map((each) => each.ended()));
    open = [];
    const lines = processes.flatMap((each) => each.lines().filter(({ way }) => way !== 'ready'));
    const count = (...ways: string[]) => lines.filter(({ way }) => ways.includes(way)).length;
    expect(count('drawn')).toBeGreaterThan(0);
    expect({ paid: count('drawn', 'booked'), refused: count('insufficient') }).toEqual({ paid: 50, refused: 150 });
    expect(await standing(books.database, payer.accountId)).toEqual({
      toppedUp: 100_000n,
      held: rest.reservedNano,
      settled: 50n * RESERVED,
    });
  },
  ENDS_WITHIN_MS,
);
