import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { retry } from '@mediagate/concurrency';
import type { Nano } from '@mediagate/contracts';
import { DatabaseConflictError, DatabaseUnavailableError, openDatabase } from '@mediagate/database';
import { Credit, createFinisher, createSubmitter, submitOnceCreditIsIn } from '../src';
import type { Payer } from './books';
import { COST, completedText, RESERVED, textOf } from './texts';

/*
 * A process that is to be killed: texts of several payers, from the credit of each, that never end. It writes a line for each text
 * that its vendor has answered: account, task, how it was paid, when it began. On a message each payer sends one more. With RACE it takes credit, says so by a line, and on a message
 * sends that many texts of the first payer at once, each for all that it reserves; a line for each, how it was decided.
 */
const {
  DATABASE_URL: url = '',
  PAYERS = '[]',
  LIMIT = '0',
  SECONDS = '1',
  LIFE_MS = '15000',
  RACE = '0',
} = process.env;
const CALLERS = 3;
/** Of a vendor; one in so many takes longer than a text may be unknown to the database. */
const VENDOR_MS = 20;
const SLOW_EACH = 40;
const SLOW_MS = 900;
/** Often enough that credit is not given back, and seldom enough that no more of it is taken. */
const KEEP_EVERY_MS = 300;

/** As an API process ends its texts. */
const patiently = <T>(write: () => Promise<T>): Promise<T> =>
  retry(write, {
    firstPauseMs: 20,
    withinMs: 60_000,
    isWorthRetrying: (error) => error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError,
  });

const database = openDatabase({ url, poolSize: 6, statementTimeoutMs: 30_000, applicationName: 'credit-process' });
const finish = createFinisher(database);
const submit = submitOnceCreditIsIn(database, { submit: createSubmitter(database), waitMs: 3_000 });
const credit = new Credit(database, {
  limitNano: BigInt(LIMIT),
  seconds: Number(SECONDS),
  lifeMs: Number(LIFE_MS),
  submit,
  finish,
});
const payers = JSON.parse(PAYERS) as Payer[];

/** Before anything is done that comes after it. Its reader may be slower. */
function write(line: unknown[]): void {
  let rest = Buffer.from(`${JSON.stringify(line)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSome(rest));
}

function writeSome(bytes: Buffer): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}

async function call(payer: Payer, vendorMs: number, costNano: Nano): Promise<void> {
  const beganAt = Date.now();
  const item = textOf(payer);
  const drawn = credit.draw(item);
  const kind = drawn ? 'drawn' : (await patiently(() => submit(item))).kind;
  if (kind !== 'drawn' && kind !== 'accepted') {
    write([payer.accountId, item.taskId, kind, beganAt]);
    return;
  }
  await delay(vendorMs);
  const end = completedText(item, costNano);
  write([payer.accountId, item.taskId, drawn ? 'drawn' : 'booked', beganAt]);
  await patiently(() => (drawn ? credit.end(drawn, end) : finish(end)));
}

async function callForEver(): Promise<void> {
  process.on('message', () => {
    for (const payer of payers) void call(payer, 0, COST);
  });
  const callers = payers.flatMap((payer) => Array.from({ length: CALLERS }, () => payer));
  await Promise.all(
    callers.map(async (payer) => {
      for (;;) await call(payer, Math.random() * SLOW_EACH < 1 ? SLOW_MS : Math.random() * VENDOR_MS, COST);
    }),
  );
}

async function race(texts: number): Promise<void> {
  const [payer] = payers;
  if (payer === undefined) throw new Error('nobody pays');
  let isOn = false;
  process.once('message', () => {
    isOn = true;
  });
  let isReady = false;
  for (; !isOn; await delay(isReady ? KEEP_EVERY_MS : 1)) {
    const drawn = credit.draw(textOf(payer));
    if (drawn === undefined) continue;
    credit.forget(drawn);
    if (!isReady) write([payer.accountId, '', 'ready', 0]);
    isReady = true;
  }
  await Promise.all(Array.from({ length: texts }, () => call(payer, 0, RESERVED)));
  await credit.close();
  await database.close();
  process.disconnect?.();
}

void (RACE === '0' ? callForEver() : race(Number(RACE)));
