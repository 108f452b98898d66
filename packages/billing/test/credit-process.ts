import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { retry } from '@mediagate/concurrency';
import { DatabaseConflictError, DatabaseUnavailableError, openDatabase } from '@mediagate/database';
import { Credit, createFinisher, createSubmitter, submitOnceCreditIsIn } from '../src';
import type { Payer } from './books';
import { completedText, textOf } from './texts';

/*
 * A process that is to be killed: texts of several payers, from the credit of each, that never end. It writes a line for each text
 * that its vendor has answered: task, how it was paid, when it began, what it costs.
 */
const { DATABASE_URL: url = '', PAYERS = '[]', LIMIT = '0', SECONDS = '1' } = process.env;
const CALLERS = 3;
/** Of a vendor; one in so many takes longer than a text may be unknown to the database. */
const VENDOR_MS = 20;
const SLOW_EACH = 40;
const SLOW_MS = 900;

/** As an API process ends its texts. */
const patiently = <T>(write: () => Promise<T>): Promise<T> =>
  retry(write, {
    firstPauseMs: 20,
    withinMs: 60_000,
    isWorthRetrying: (error) => error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError,
  });

async function main(): Promise<void> {
  const database = openDatabase({ url, poolSize: 6, statementTimeoutMs: 30_000, applicationName: 'credit-process' });
  const finish = createFinisher(database);
  const submit = submitOnceCreditIsIn(database, { submit: createSubmitter(database), waitMs: 3_000 });

  async function call(payer: Payer, credit: Credit): Promise<void> {
    const beganAt = Date.now();
    const item = textOf(payer);
    const drawn = credit.draw(item);
    if (drawn === undefined && (await patiently(() => submit(item))).kind !== 'accepted') throw new Error('refused');
    await delay(Math.random() * SLOW_EACH < 1 ? SLOW_MS : Math.random() * VENDOR_MS);
    const end = completedText(item);
    writeSync(1, `${JSON.stringify([payer.accountId, item.taskId, drawn ? 'drawn' : 'booked', beganAt])}\n`);
    await patiently(() => (drawn ? credit.end(drawn, end) : finish(end)));
  }

  const credit = new Credit(database, { limitNano: BigInt(LIMIT), seconds: Number(SECONDS), submit, finish });
  const callers = (JSON.parse(PAYERS) as Payer[]).flatMap((payer) => Array.from({ length: CALLERS }, () => payer));
  await Promise.all(
    callers.map(async (payer) => {
      for (;;) await call(payer, credit);
    }),
  );
}

void main();
