import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { adjust } from '@mediagate/billing';
import { migrate, openDatabase } from '@mediagate/database';
import { PATIENCE, runSql } from '@mediagate/testkit';
import { freePort, type Postgres, startPostgres } from '@mediagate/testkit/servers';
import type { Caller } from '../../../../test/test-api';
import { answer, says } from '../../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld, type TextWorld } from '../../../../test/text-world';

/** A hold is on the disk within three times `wal_writer_delay`; here it is not, unless somebody else's commit takes it there. */
const KEPT_IN_MEMORY = `alter system set wal_writer_delay = '10s'`;
const WITHIN_MS = 240_000;
/** The database of the text works on by then. */
const SERVED_WITHIN_MS = 60_000;
const HEADERS = { 'idempotency-key': 'once' };

let directory: string;
let port: number;
let server: Postgres;
let world: TextWorld;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-crash-'));
  port = await freePort();
  server = await startPostgres({ directory, port, durable: true });
  await migrate(server.url);
  const database = openDatabase({ url: server.url, poolSize: 1, ...PATIENCE, applicationName: 'test' });
  await runSql(database, KEPT_IN_MEMORY);
  await runSql(database, 'select pg_reload_conf()');
  await database.close();
  world = await openTextWorld({ booksUrl: server.url });
}, WITHIN_MS);
afterAll(async () => {
  await world.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}, WITHIN_MS);

async function crash(): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  server = await startPostgres({ directory, port, durable: true });
}

interface Lost {
  caller: Caller;
  /** The caller's answer, once the vendor answers. */
  asked: Promise<{ status: number; headers: Headers }>;
  vendorAnswers(): void;
}

/** A text that is held while its vendor thinks. A request right after a crash may be refused: another follows, and one script waits for it. */
async function holdText(headers: Record<string, string>) {
  const heard = new Promise<() => void>((resolve) => {
    world.vendor.next((response, call) => resolve(() => says(answer('So that.'))(response, call)));
  });
  for (const end = Date.now() + SERVED_WITHIN_MS; Date.now() < end; ) {
    const caller = await world.caller();
    const ask = () => world.api.post(`${FLASH}:generateContent`, BODY, { key: caller.key, headers });
    const asked = ask();
    const vendorAnswers = await Promise.race([heard, asked.then(() => undefined)]);
    if (vendorAnswers !== undefined) return { caller, ask, asked, vendorAnswers };
  }
  throw new Error('no text was held');
}

/** A text that was held, and that the database has lost in a crash while its vendor thinks. */
async function loseHeldText(): Promise<Lost> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { caller, asked, vendorAnswers } = await holdText({});
    await crash();
    if ((await world.api.database.task.count({ where: { accountId: caller.accountId } })) === 0)
      return { caller, asked, vendorAnswers };
    vendorAnswers();
    await asked;
  }
  throw new Error('what was held outlives every crash: it waited for the disk');
}

/** Asks again, as a client does, while the database comes back. */
async function onceServed<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + SERVED_WITHIN_MS; ; await delay(300)) {
    const answered = await ask();
    if (answered.status !== 503 || Date.now() > end) return answered;
  }
}

it('a text that a crash of the database took along is booked and charged once, as its caller was told', async () => {
  const { caller, asked, vendorAnswers } = await loseHeldText();
  expect(await world.spent(caller)).toEqual({ held: 0n, settled: 0n });
  vendorAnswers();
  const { status, headers } = await asked;
  expect(status).toBe(200);
  const record = await world.ended(headers.get('x-task-id'), caller);
  expect(record).toMatchObject({ status: 'completed', cost: 0.000024, usage: { output_tokens: 9 } });
  expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
}, 240_000);

it('is charged no more than its account still has then, and the rest is written down as a loss', async () => {
  const { caller, asked, vendorAnswers } = await loseHeldText();
  const { accountId } = caller;
  const { database } = world.api;
  const { toppedUpNano } = await database.account.findUniqueOrThrow({ where: { id: accountId } });
  await adjust(database, { accountId, amountNano: 5n - toppedUpNano, note: 'for the test' }, { actor: 'test' });
  vendorAnswers();
  const { headers } = await asked;
  const taskId = String(headers.get('x-task-id'));
  await world.ended(taskId, caller);
  expect(await database.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({
    toppedUpNano: 5n,
    heldNano: 0n,
    settledNano: 5n,
  });
  expect(await database.overrun.findMany({ where: { taskId } })).toMatchObject([{ amountNano: COST - 5n }]);
}, 240_000);

it('a text with an idempotency key outlives the crash, so that its repetition is told of it and nobody pays twice', async () => {
  for (let crashes = 0; crashes < 3; crashes += 1) {
    const { caller, ask, asked, vendorAnswers } = await holdText(HEADERS);
    await crash();
    expect(await world.api.database.task.count({ where: { accountId: caller.accountId } })).toBe(1);
    const repeated = await onceServed(ask);
    expect(repeated.status).toBe(409);
    vendorAnswers();
    const { headers } = await asked;
    expect(headers.get('x-task-id')).toBe(repeated.headers.get('x-task-id'));
    await world.ended(headers.get('x-task-id'), caller);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: COST });
  }
}, 240_000);
