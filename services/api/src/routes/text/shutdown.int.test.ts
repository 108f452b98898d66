import type { Caller } from '../../../test/test-api';
import { answer, type Script, streams } from '../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld, type TextWorld } from '../../../test/text-world';

const DRAIN_MS = 1000;
const WHOLE = `${FLASH}:generateContent`;
const STREAM = `${FLASH}:streamGenerateContent?alt=sse`;

let world: TextWorld;
beforeAll(async () => {
  world = await openTextWorld({ drainTimeoutMs: DRAIN_MS });
});
afterAll(() => world.close());

const hangs: Script = () => undefined;
const beginsWhole: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"candidates":[');
};
const endless = (event: object) => streams([event], () => undefined);

interface Running {
  caller: Caller;
  leave(): void;
  /** Once the connection of the caller is gone. */
  over: Promise<unknown>;
}

/** Resolves when the vendor has the call. */
async function start(path: string, script: Script): Promise<Running> {
  const caller = await world.caller();
  const count = world.vendor.heard.length + 1;
  world.vendor.next(script);
  const controller = new AbortController();
  const asked = world.api.post(path, BODY, { key: caller.key, signal: controller.signal });
  const over = expect(asked).rejects.toThrow();
  while (world.vendor.heard.length < count) await new Promise((resolve) => setImmediate(resolve));
  return { caller, leave: () => controller.abort(), over };
}

async function record({ caller }: Running) {
  const { accountId } = caller;
  const [task] = await world.api.database.prisma.task.findMany({ where: { accountId } });
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

  const drained = world.api.drain();
  leaver.leave();
  await leaver.over;
  await drained;
  await Promise.all([thinking, whole, counted, uncounted].map(({ over }) => over));

  expect(await record(thinking)).toMatchObject(INTERNAL);
  expect(await record(whole)).toMatchObject({ ...INTERNAL, attempt: CUT });
  expect(await record(counted)).toMatchObject({
    ...{ status: 'completed', attempt: CUT, spent: { held: 0n, settled: COST } },
  });
  expect(await record(uncounted)).toMatchObject({
    ...{ status: 'completed', attempt: CUT, spent: { held: 0n, settled: 7n * 300n + 3n * 2500n } },
  });
  expect(await record(leaver)).toMatchObject({
    ...{ status: 'failed', error: { message: 'The caller left before the model had begun to answer.' } },
  });
  await Promise.all(world.vendor.heard.map(({ closed }) => closed));
});
