import { runSql } from '@mediagate/testkit';
import { audit, createFinisher, taskError } from '../src';
import { type Books, fundedKey, holdRow, openBooks, type Payer, standing } from './books';
import { type CreditProcess, openCreditProcess } from './credit-children';
import { COST } from './texts';

const LIMIT = 1000n;
const BALANCE = 1_000_000n;

let books: Books;
let opened: CreditProcess | undefined;
beforeAll(async () => {
  books = await openBooks(4, 60_000);
});
afterEach(() => opened?.kill().catch(() => undefined));
afterAll(() => books.close());

interface Death {
  point: string;
  /** The text is booked while it runs. */
  lasts?: true;
  /** As the books have it right after; absent: they do not have it. */
  booked?: 'completed' | 'processing';
  /** Nothing is out as credit any more, or not yet. */
  gaveBack?: true;
}

/** Every boundary of a text on credit, and of the credit. */
const DEATHS: readonly Death[] = [
  { point: 'before taking credit', gaveBack: true },
  { point: 'during taking credit' },
  { point: 'after taking credit' },
  { point: 'after the draw' },
  { point: 'after the vendor was asked' },
  { point: 'after the vendor answered' },
  { point: 'before booking it as ended' },
  { point: 'during booking it as ended', booked: 'completed' },
  { point: 'after booking it as ended', booked: 'completed' },
  { point: 'before booking it as running', lasts: true },
  { point: 'during booking it as running', lasts: true, booked: 'processing' },
  { point: 'after booking it as running', lasts: true, booked: 'processing' },
  { point: 'after the vendor answered', lasts: true, booked: 'processing' },
  { point: 'before ending it', lasts: true, booked: 'processing' },
  { point: 'during ending it', lasts: true, booked: 'completed' },
  { point: 'after ending it', lasts: true, booked: 'completed' },
  { point: 'after the caller was answered', booked: 'completed' },
  { point: 'before giving back', booked: 'completed' },
  { point: 'during giving back', booked: 'completed', gaveBack: true },
  { point: 'after giving back', booked: 'completed', gaveBack: true },
];

/** Once the process is dead, and what it had sent has been run. */
async function die(payer: Payer, { point, lasts }: Death): Promise<void> {
  const settings = { LIMIT: String(LIMIT), KILL_AT: point, ...(lasts ? { LASTS: 'yes' } : {}) };
  opened = openCreditProcess(books.databaseUrl, [payer], settings, 'credit-death.ts');
  if (point.startsWith('during ')) await killInStatement(opened, payer);
  await opened.ended();
  expect(opened.lines().map(({ way }) => way)).not.toContain('never there');
  opened = undefined;
  const sessions = `select pid from pg_stat_activity where datname = current_database() and application_name = 'credit-death'`;
  while ((await runSql(books.database, sessions)).length > 0);
}

/** The database has the statement, which waits for its account's row; who sent it is dead before that goes on. */
async function killInStatement(process: CreditProcess, { accountId }: Payer): Promise<void> {
  await process.until((lines) => lines.length > 0);
  const row = await holdRow(books.database, 'accounts', accountId);
  process.send('go on');
  await row.awaitedBy(1);
  const dead = process.kill();
  await row.letGo();
  await dead;
}

async function standsAt({ accountId }: Payer) {
  const tasks = await books.database.task.findMany({ where: { accountId }, select: { id: true, status: true } });
  const { creditNano } = await books.database.account.findUniqueOrThrow({ where: { id: accountId } });
  const [out] = await runSql<{ left: bigint }>(
    books.database,
    'select coalesce(sum(left_nano), 0)::bigint as left from credit_tranches where account_id = $1',
    [accountId],
  );
  return { tasks, creditNano, left: BigInt(out?.left ?? -1n) };
}

/** What the reconciler does, once leases and tranches have lapsed. */
async function recover(payer: Payer): Promise<void> {
  const { accountId } = payer;
  await runSql(
    books.database,
    `update credit_tranches set expires_at = now() - interval '1 second' where account_id = $1`,
    [accountId],
  );
  const ids = (await books.database.findLapsedTranches(100)).map(({ id }) => id);
  if (ids.length > 0) await books.database.lapseTranches(ids);
  const { tasks } = await standsAt(payer);
  const outcome = { kind: 'failed', error: taskError('internal_error') } as const;
  const finish = createFinisher(books.database);
  const left = tasks.filter(({ status }) => status === 'processing');
  await Promise.all(left.map(({ id }) => finish({ taskId: id as `task_${string}`, accountId, fence: 'any', outcome })));
}

it.each(DEATHS.map((death) => ({ ...death, text: death.lasts ? 'a text that lasts' : 'a text' })))(
  'a process that dies $point, with $text on credit, loses no money of its caller, and no more than its credit',
  async (death) => {
    const { booked, gaveBack = false } = death;
    const payer = await fundedKey(books.database, BALANCE);
    await die(payer, death);

    const { tasks, creditNano, left } = await standsAt(payer);
    expect(tasks.map(({ status }) => status)).toEqual(booked === undefined ? [] : [booked]);
    expect(creditNano).toBe(left);
    expect(creditNano).toBeLessThanOrEqual(LIMIT);
    expect(creditNano > 0n).toBe(!gaveBack);
    expect(await audit(books.database)).toEqual([]);

    await recover(payer);
    const settled = booked === 'completed' ? COST : 0n;
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: BALANCE, held: 0n, settled });
    expect(await standsAt(payer)).toMatchObject({ creditNano: 0n, left: 0n });
    expect(await audit(books.database)).toEqual([]);
  },
);
