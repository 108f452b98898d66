import { prismaOf } from '@mediagate/testkit';
import { askText, creditOf, makeBusy } from '../../../test/busy-caller';
import type { Caller } from '../../../test/test-api';
import { answer, says } from '../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld, type TextWorld } from '../../../test/text-world';

const WHOLE = `${FLASH}:generateContent`;
const HAPPENS_WITHIN_MS = 120_000;

let world: TextWorld;
beforeEach(async () => {
  world = await openTextWorld();
});
afterEach(() => world.close());

async function busyCaller(): Promise<{ caller: Caller; answered: number }> {
  const caller = await world.caller();
  return { caller, answered: await makeBusy(world, caller) };
}

const ask = (caller: Caller) => askText(world.api, caller);

it('texts of a busy key are drawn, and their books are those of any other', async () => {
  const { caller, answered } = await busyCaller();
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(caller)));
  const ids = answers.map(({ status, headers }) => {
    expect(status).toBe(200);
    return headers.get('x-task-id');
  });
  for (const id of ids) expect(await listed(id, caller)).toMatchObject({ status: 'completed' });
  await world.quiet();
  expect(await world.spent(caller)).toEqual({ held: 0n, settled: BigInt(answered + 40) * COST });
});

it('a text that is asked for under an Idempotency-Key is in the books before its vendor is asked', async () => {
  const { caller } = await busyCaller();
  let tasks = -1;
  world.vendor.next((response, heard) => {
    void world.api.database.idempotencyKey.count().then((count) => {
      tasks = count;
      says(answer('so'))(response, heard);
    });
  });
  const { status } = await world.api.post(WHOLE, BODY, { key: caller.key, headers: { 'idempotency-key': 'one' } });
  expect({ status, tasks }).toEqual({ status: 200, tasks: 1 });
});

it('a drain books what was drawn and gives back the rest', async () => {
  const { caller, answered } = await busyCaller();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(caller)));
  await world.api.drain();
  expect(await creditOf(world, caller)).toBe(0n);
  const tasks = await world.api.database.task.count({ where: { accountId: caller.accountId, status: 'completed' } });
  expect(tasks).toBe(answered + answers.length);
});

it('what nobody draws from is given back', async () => {
  const { caller } = await busyCaller();
  const limit = Date.now() + HAPPENS_WITHIN_MS;
  while ((await creditOf(world, caller)) > 0n) expect(Date.now()).toBeLessThan(limit);
});

it('while the database cannot be written to, drawn texts wait to be booked, and then others are refused before their vendor is asked', async () => {
  const { caller, answered } = await busyCaller();
  const lock = await lockBooks();
  let served = 0;
  let refused: Awaited<ReturnType<typeof ask>> | undefined;
  let asked = 0;
  while (refused === undefined) {
    asked = world.vendor.heard.length;
    const each = await ask(caller);
    if (each.status === 200) served += 1;
    else refused = each;
  }
  expect(refused.status).toBe(503);
  expect(world.vendor.heard).toHaveLength(asked);
  await lock.release();
  await world.quiet();
  const limit = Date.now() + HAPPENS_WITHIN_MS;
  const settled = BigInt(answered + served) * COST;
  while ((await world.spent(caller)).settled < settled) expect(Date.now()).toBeLessThan(limit);
  expect(await world.spent(caller)).toEqual({ held: 0n, settled });
});

/** Nobody writes to accounts until it is let go; everybody reads. */
async function lockBooks(): Promise<{ release(): Promise<void> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { ended } = await new Promise<{ ended: Promise<void> }>((locked) => {
    const ended = prismaOf(world.api.database).$transaction(
      async (transaction) => {
        await transaction.$executeRawUnsafe('set local idle_in_transaction_session_timeout = 0');
        await transaction.$executeRawUnsafe('lock table accounts in exclusive mode');
        locked({ ended });
        await released;
      },
      { timeout: HAPPENS_WITHIN_MS },
    );
  });
  return {
    async release() {
      release();
      await ended;
    },
  };
}

async function listed(id: string | null, caller: Caller) {
  const limit = Date.now() + HAPPENS_WITHIN_MS;
  for (;;) {
    const { status, body } = await world.api.get(`/v1/tasks/${id}`, { key: caller.key });
    if (status === 200 && body.data.status === 'completed') return body.data;
    expect(Date.now()).toBeLessThan(limit);
  }
}
