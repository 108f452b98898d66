import { newTaskId } from '@mediagate/contracts';
import { prismaOf, runSql } from '@mediagate/testkit';
import { askText, makeBusy } from '../../../test/busy-caller';
import type { Caller, TestApi } from '../../../test/test-api';
import { answer, streams } from '../../../test/text-upstream';
import { BODY, FLASH, openTextWorld, type TextWorld } from '../../../test/text-world';

/** Longer than a test holds the books up. */
const CREDIT = { TEXT_CREDIT: 50, TEXT_CREDIT_SECONDS: 5 };
const HAPPENS_WITHIN_MS = 120_000;

let world: TextWorld;
/** Another process over the same books. */
let other: TestApi;
beforeAll(async () => {
  world = await openTextWorld({ credit: CREDIT });
  other = await world.another();
});
afterAll(async () => {
  await other.stop();
  await world.close();
});

const ask = (caller: Caller) => askText(world.api, caller);

async function busyCaller(): Promise<Caller> {
  const caller = await world.caller();
  await makeBusy(world, caller);
  return caller;
}

/** Nobody writes to accounts meanwhile; everybody reads. */
async function whileBooksAreLocked<T>(work: () => Promise<T>): Promise<T> {
  return prismaOf(world.api.database).$transaction(
    async (transaction) => {
      await transaction.$executeRawUnsafe('set local idle_in_transaction_session_timeout = 0');
      await transaction.$executeRawUnsafe('lock table accounts in exclusive mode');
      return work();
    },
    { timeout: HAPPENS_WITHIN_MS },
  );
}

const LOOKS = `select 1 from pg_stat_activity where datname = current_database() and application_name <> 'test' and query_start > $1
  and query like '%as "accountId" from tasks t where t.id = any%'`;

/** Until a process has looked for tasks that are not in the books. */
async function untilLooked(since: Date): Promise<void> {
  while ((await runSql(world.api.database, LOOKS, [since])).length === 0) await new Promise(setImmediate);
}

async function databaseTime(): Promise<Date> {
  const [row] = await runSql<{ now: Date }>(world.api.database, 'select clock_timestamp() as now');
  if (row === undefined) throw new Error('the database has no time');
  return row.now;
}

/** The answers to what is asked of a text that was answered and is in no books until all of that is under way. */
async function askBeforeBooked<T>(caller: Caller, asks: (id: string) => Promise<T>): Promise<T> {
  for (;;) {
    const asked = await whileBooksAreLocked(() => askUnbooked(caller, asks));
    if (asked !== undefined) return asked.answers;
    // What was taken had been given back meanwhile.
    await makeBusy(world, caller);
  }
}

/** Undefined: the text was not on credit, and so not answered. */
async function askUnbooked<T>(
  caller: Caller,
  asks: (id: string) => Promise<T>,
): Promise<{ answers: Promise<T> } | undefined> {
  const { status, headers } = await ask(caller);
  if (status !== 200) return undefined;
  const id = String(headers.get('x-task-id'));
  const since = await databaseTime();
  const answers = asks(id);
  await untilLooked(since);
  expect(await world.api.database.task.count({ where: { id } })).toBe(0);
  return { answers };
}

/** A text on credit that its vendor does not end. */
async function beginStream(caller: Caller): Promise<{ id: string; stream: Response; vendorCall: number }> {
  for (;;) {
    const vendorCall = world.vendor.heard.length;
    world.vendor.next(streams([answer('So that', {})], () => undefined));
    const left = new AbortController();
    const stream = await fetch(`${world.api.url}${FLASH}:streamGenerateContent?alt=sse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
      signal: left.signal,
    });
    const id = String(stream.headers.get('x-task-id'));
    if ((await world.api.database.task.count({ where: { id } })) === 0) return { id, stream, vendorCall };
    left.abort();
    await makeBusy(world, caller);
  }
}

it('a text that was answered with its id is found by that at every process, also before it is in the books', async () => {
  const caller = await busyCaller();
  const { key } = caller;
  const get = (path: string) => other.get(path, { key });
  const post = (path: string, body: unknown) => other.post(path, body, { key });
  const answers = await askBeforeBooked(caller, (id) =>
    Promise.all([
      get(`/v1/tasks/${id}`),
      get(`/v1/tasks/${id}?wait=1&include=ledger`),
      get(`/v1/tasks/${id}/events`),
      get(`/v1/tasks/${id}/lineage`),
      get(`/v1/tasks/${id}/deliveries`),
      get(`/v1/ledger?task_id=${id}`),
      post('/v1/tasks/batch', { task_ids: [id] }),
      post(`/v1/tasks/${id}/cancel`, ''),
      post('/v1/imgtool/generations/modal', { task_id: id, prompt: 'a lighthouse' }),
      world.api.get(`/v1/tasks/${id}`, { key }),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 409, 400, 200]);
  const [read, waited, events, lineage, , ledger, batch, cancelled, named, here] = answers.map(({ body }) => body);
  expect(read.data).toMatchObject({ status: 'completed' });
  expect(waited.data).toMatchObject({ status: 'completed', ledger: [{}, {}] });
  expect(events).toContain('"status":"completed"');
  expect(lineage.data).toMatchObject({ id: read.data.id });
  expect(ledger.data).toHaveLength(2);
  expect(batch.data).toEqual([read.data]);
  expect(cancelled.error).toMatchObject({ reason: 'not_cancellable' });
  expect(named.error).toMatchObject({ param: 'task_id' });
  expect(here.data).toEqual(read.data);
}, 180_000);

it('a text that still runs is found, and stopped, by its id at another process, also before it is in the books', async () => {
  const caller = await busyCaller();
  const { key } = caller;
  const { id, stream, vendorCall } = await beginStream(caller);
  const [read, cancelled] = await Promise.all([
    other.get(`/v1/tasks/${id}`, { key }),
    other.post(`/v1/tasks/${id}/cancel`, '', { key }),
  ]);
  expect(read).toMatchObject({ status: 200, body: { data: { id, status: 'processing' } } });
  expect(cancelled).toMatchObject({ status: 409, body: { error: { reason: 'not_cancellable' } } });
  await expect(stream.text()).rejects.toThrow('terminated');
  await world.vendor.heard[vendorCall]?.closed;
}, 180_000);

it('a text that has ended is in the books right after its answer, however long it may be in none', async () => {
  const caller = await busyCaller();
  const waits: number[] = [];
  for (let texts = 0; texts < 30; texts += 1) {
    const { headers } = await ask(caller);
    const answeredAt = performance.now();
    const id = String(headers.get('x-task-id'));
    while ((await world.api.database.task.count({ where: { id, status: 'completed' } })) === 0);
    waits.push(performance.now() - answeredAt);
  }
  const [median = Number.NaN] = waits.sort((one, other) => one - other).slice(waits.length / 2);
  // What lasts is booked after half of the time; what has ended does not wait for that.
  expect(median).toBeLessThan(CREDIT.TEXT_CREDIT_SECONDS * 100);
}, 180_000);

it('another account asks in vain, and a task that never was is not found once its time has passed', async () => {
  const [caller, stranger] = [await busyCaller(), await world.caller()];
  const asked = await askBeforeBooked(caller, (id) => other.get(`/v1/tasks/${id}`, { key: stranger.key }));
  expect(asked).toMatchObject({ status: 404, body: { error: { reason: 'not_found' } } });
  const { status } = await other.get(`/v1/tasks/${newTaskId()}`, { key: caller.key });
  expect(status).toBe(404);
}, 180_000);
