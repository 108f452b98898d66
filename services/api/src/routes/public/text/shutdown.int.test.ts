import { countBlocked, forEachTest, holdTransaction, until } from '@mediagate/testkit';
import type { Caller } from '../../../../test/test-api';
import { answer, type Script, streams } from '../../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld } from '../../../../test/text-world';

const DRAIN_MS = 1000;
const WHOLE = `${FLASH}:generateContent`;
const STREAM = `${FLASH}:streamGenerateContent?alt=sse`;

const world = forEachTest(() => openTextWorld({ times: { drainTimeoutMs: DRAIN_MS, lingerMs: 200 } }));
afterEach(() => world.close());

const hangs: Script = () => undefined;
const beginsWhole: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"candidates":[');
};
const endless = (event: object) => streams([event], () => undefined);

interface Running {
  caller: Caller;
  leave(): void;
  /** Resolves once the connection of the caller is gone. */
  over: Promise<unknown>;
  /** Resolves once the vendor's part in it has ended. */
  ended: Promise<unknown> | undefined;
}

/** Resolves when the vendor has the call. */
async function start(path: string, script: Script): Promise<Running> {
  const caller = await world.caller();
  const { heard, next } = world.vendor;
  const count = heard.length + 1;
  next(script);
  const controller = new AbortController();
  const asked = world.api.post(path, BODY, { key: caller.key, signal: controller.signal });
  const over = expect(asked).rejects.toThrow();
  await until(() => heard.length >= count, 'the vendor has the call');
  const ended = heard[count - 1]?.closed;
  return { caller, leave: () => controller.abort(), over, ended };
}

async function record({ caller }: Running) {
  const { accountId } = caller;
  const [task] = await world.api.database.task.findMany({ where: { accountId } });
  const [attempt] = await world.attempts(task?.id ?? null);
  return { status: task?.status, error: task?.error, attempt, spent: await world.spent(caller) };
}

const CUT = { state: 'unknown', fault: null, detail: 'this process ended' };
const REFUNDED = { held: 0n, settled: 0n };
const INTERNAL = { status: 'failed', error: { message: 'The task could not be completed.' }, spent: REFUNDED };

it('a shutdown that cuts texts off is what their records name, and charges no more than a vendor who breaks off', async () => {
  const thinking = await start(WHOLE, hangs);
  const whole = await start(WHOLE, beginsWhole);
  const counted = await start(STREAM, endless(answer('So that')));
  const uncounted = await start(STREAM, endless(answer('twelve bytes', {})));
  const leaver = await start(WHOLE, hangs);

  leaver.leave();
  // The application has ended the call of who left, so that it knows of it before it cuts anybody off.
  await leaver.ended;
  await world.api.drain();
  await Promise.all([thinking, whole, counted, uncounted].map(({ over }) => over));
  await leaver.over;

  expect(await record(thinking)).toMatchObject(INTERNAL);
  expect(await record(whole)).toMatchObject({ ...INTERNAL, attempt: CUT });
  expect(await record(counted)).toMatchObject({
    status: 'completed',
    attempt: CUT,
    spent: { held: 0n, settled: COST },
  });
  expect(await record(uncounted)).toMatchObject({
    status: 'completed',
    attempt: CUT,
    spent: { held: 0n, settled: 7n * 300n + 3n * 2500n },
  });
  expect(await record(leaver)).toMatchObject({
    status: 'completed',
    spent: { held: 0n, settled: 7n * 300n },
  });
  await Promise.all(world.vendor.heard.map(({ closed }) => closed));
});

/** Nothing can be booked on the account until it is let go. */
async function holdAccount({ accountId }: Caller): Promise<() => Promise<void>> {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return new Promise((resolve, reject) => {
    const over = holdTransaction(world.api.database, async (transaction) => {
      await transaction.$queryRaw`select 1 from accounts where id = ${accountId} for update`;
      resolve(() => {
        letGo();
        return over;
      });
      await held;
    });
    over.catch(reject);
  });
}

const isAnyoneHeldUp = async () => (await countBlocked(world.api.database)) > 0;

it('a shutdown waits for the settlement of a booking that it finds under way', async () => {
  const caller = await world.caller();
  const letGo = await holdAccount(caller);
  const cut = expect(world.api.post(WHOLE, BODY, { key: caller.key })).rejects.toThrow();
  await until(isAnyoneHeldUp, 'the booking is under way');
  const drained = world.api.drain();
  await cut;
  await letGo();
  await drained;
  expect(await world.api.database.task.findMany({ where: { accountId: caller.accountId } })).toMatchObject([
    { status: 'failed' },
  ]);
  expect(await world.spent(caller)).toEqual(REFUNDED);
  expect(world.vendor.heard).toEqual([]);
});
