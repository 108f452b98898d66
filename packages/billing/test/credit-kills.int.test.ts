import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runSql } from '@mediagate/testkit';
import { audit, createFinisher, taskError } from '../src';
import { type Books, fundedKey, openBooks, type Payer, standing } from './books';
import { COST, RESERVED } from './texts';

const ROOT = join(__dirname, '../../..');
/** Each kill is one of every payer's credit, in whatever state that is in. `CREDIT_KILLS=200`: a longer run. */
const KILLS = Number(process.env['CREDIT_KILLS'] ?? 6);
const PAYERS = 20;
const LIMIT = 1000n;
const SECONDS = 1;
const BALANCE = 1_000_000n;
/** Between a kill at once and one in the middle of it. */
const LIVES_MS = 600;

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

interface Answered {
  accountId: string;
  taskId: string;
  way: 'drawn' | 'booked';
  beganAt: number;
}

/** Runs texts in a process, kills it, and answers with the texts that vendors had answered, and when it died. */
async function killedWhileAtWork(payers: readonly Payer[]): Promise<{ answered: Answered[]; diedAt: number }> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      ...['register-typescript.cjs', 'end-with-parent.cjs'].flatMap((file) => [
        '--require',
        join(ROOT, 'scripts', file),
      ]),
      join(__dirname, 'credit-process.ts'),
    ],
    {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: books.databaseUrl,
        PAYERS: JSON.stringify(payers),
        LIMIT: String(LIMIT),
        SECONDS: String(SECONDS),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const { stdout } = child;
  if (stdout === null) throw new Error('its output is not a pipe');
  const chunks: Buffer[] = [];
  const drawing = new Set<string>();
  const ended = once(stdout, 'end');
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('it ended by itself')));
    stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      for (const { accountId, way } of linesOf([chunk])) if (way === 'drawn') drawing.add(accountId);
      if (drawing.size === payers.length) resolve();
    });
  });
  await delay(Math.random() * LIVES_MS);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await Promise.all([gone, ended]);
  return { answered: linesOf(chunks), diedAt: Date.now() };
}

/** A line that was cut in two is none. */
function linesOf(chunks: readonly Buffer[]): Answered[] {
  return Buffer.concat(chunks)
    .toString()
    .split('\n')
    .flatMap((line) => {
      if (!/^\[.*\]$/.test(line)) return [];
      const [accountId, taskId, way, beganAt] = JSON.parse(line);
      return [{ accountId, taskId, way, beganAt }];
    });
}

/** What the reconciler does once leases and tranches have lapsed. */
async function recover(): Promise<void> {
  await untilNobodyBooks();
  await runSql(books.database, `update credit_tranches set expires_at = now() - interval '1 second'`);
  await books.database.lapseTranches((await books.database.findLapsedTranches(1000)).map(({ id }) => id));
  const finish = createFinisher(books.database);
  const open = await books.database.task.findMany({ where: { status: 'processing' } });
  const outcome = { kind: 'failed', error: taskError('internal_error') } as const;
  await Promise.all(
    open.map(({ id, accountId }) => finish({ taskId: id as `task_${string}`, accountId, fence: 'any', outcome })),
  );
}

/** Statements that were sent before the kill may still be under way. */
async function untilNobodyBooks(): Promise<void> {
  const busy = `select pid from pg_stat_activity where datname = current_database() and application_name = 'credit-process'`;
  while ((await runSql(books.database, busy)).length > 0) await delay(5);
}

it(`${KILLS * PAYERS} kills at any point: books that are whole, nothing held for the dead, and no more lost than their credit`, async () => {
  const payers: Payer[] = [];
  for (let count = 0; count < PAYERS; count += 1) payers.push(await fundedKey(books.database, BALANCE));
  let answers = 0;
  let unbooked = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { answered, diedAt } = await killedWhileAtWork(payers);
    await recover();
    expect(await audit(books.database)).toEqual([]);
    const ids = answered.map(({ taskId }) => taskId);
    const found = new Set(
      (await books.database.task.findMany({ where: { id: { in: ids } }, select: { id: true } })).map(({ id }) => id),
    );
    const lost = answered.filter(({ taskId }) => !found.has(taskId));
    answers += answered.length;
    unbooked += lost.length;
    for (const { way, beganAt } of lost) {
      expect(way).toBe('drawn');
      // Half of the time until it is sent to the books as one that runs, and what that statement takes on a busy machine.
      expect(diedAt - beganAt).toBeLessThan(SECONDS * 1000 + 2000);
    }
    for (const { accountId } of payers) {
      const ofAccount = lost.filter((text) => text.accountId === accountId).length;
      expect(BigInt(ofAccount) * RESERVED).toBeLessThanOrEqual(LIMIT);
      const completed = await books.database.task.count({ where: { accountId, status: 'completed' } });
      const settled = BigInt(completed) * COST;
      expect(await standing(books.database, accountId)).toEqual({ toppedUp: BALANCE, held: 0n, settled });
      expect(await books.database.account.count({ where: { id: accountId, creditNano: 0n } })).toBe(1);
    }
  }
  process.stdout.write(`${answers} texts answered, ${unbooked} of them lost with ${KILLS * PAYERS} kills\n`);
}, 600_000);
