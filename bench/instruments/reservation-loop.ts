// Reservations on one account from so many callers at once, by the product's own submitter or by one statement each. An
// order is one slice.
import { createSubmitter } from '@mediagate/billing';
import { newTaskId } from '@mediagate/contracts';
import { openDatabase } from '@mediagate/database';
import { createSingleCte } from '../reference/single-cte';
import { COST_NANO, DEADLINE_MS } from '../reference/submission';
import { announce, serveOrders } from '../src/program';

export interface ReservationOrder {
  callers: number;
  ms: number;
}

export interface ReservationReport {
  count: number;
  seconds: number;
  failures: number;
}

const { DATABASE_URL = '', HOW = '', POOL_SIZE = '', ACCOUNT_ID = '', KEY_ID = '' } = process.env;
const INPUT = { prompt: 'x'.repeat(250), size: '1024x1024', quality: 'low', n: 1, output_format: 'png' };
const RATES = { image_output: 30n * 10n ** 9n, text_input: 5n * 10n ** 9n };
const reserve = HOW === 'grouped' ? grouped() : single();

function grouped(): () => Promise<boolean> {
  const database = openDatabase({
    url: DATABASE_URL,
    poolSize: Number(POOL_SIZE),
    statementTimeoutMs: 3000,
    applicationName: 'bench-reserve',
  });
  const submit = createSubmitter(database);
  return async () => {
    const { kind } = await submit({
      taskId: newTaskId(),
      accountId: ACCOUNT_ID,
      keyId: KEY_ID,
      model: 'imagegen-2.5-flare',
      input: INPUT,
      rates: RATES,
      family: 'image',
      kind: 'image',
      operation: 'images.generations',
      catalogueVersion: 1,
      warnings: [],
      requestId: 'bench',
      reservedNano: COST_NANO,
      deadlineMs: DEADLINE_MS,
    });
    return kind === 'accepted';
  };
}

function single(): () => Promise<boolean> {
  const reserveOne = createSingleCte(DATABASE_URL, Number(POOL_SIZE));
  const owner = { accountId: ACCOUNT_ID, keyId: KEY_ID, amountNano: COST_NANO, input: INPUT };
  return () => reserveOne({ taskId: newTaskId(), ...owner });
}

serveOrders(async ({ callers, ms }: ReservationOrder): Promise<ReservationReport> => {
  let count = 0;
  let failures = 0;
  const startedAt = performance.now();
  const caller = async () => {
    while (performance.now() - startedAt < ms) {
      if (await reserve()) count += 1;
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { count, failures, seconds: (performance.now() - startedAt) / 1000 };
});
announce();
