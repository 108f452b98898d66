import type { ServerResponse } from 'node:http';
import { until } from '@mediagate/testkit';
import { type Caller, startTestApi, type TestApi } from '../../../../test/test-api';
import { answer, type Script } from '../../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld, type TextWorld } from '../../../../test/text-world';

const WHOLE = `${FLASH}:generateContent`;

let world: TextWorld;
afterEach(() => world.close());

const limitedTo = (maxConcurrent: number) => world.api.createCaller({ balance: '1000', maxConcurrent });
const ask = ({ key }: Caller, { api = world.api, signal }: { api?: TestApi; signal?: AbortSignal } = {}) =>
  api.post(WHOLE, BODY, { key, ...(signal && { signal }) });
const tasksOf = ({ accountId }: Caller) => world.api.database.task.count({ where: { accountId } });

/** A text whose vendor answers when the test lets it. */
async function begin(caller: Caller) {
  let response: ServerResponse | undefined;
  const script: Script = (opened) => {
    response = opened;
  };
  world.vendor.next(script);
  const answered = ask(caller);
  await until(() => response !== undefined, 'the vendor has the call');
  const end = () =>
    void response?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer('so')));
  return { answered, end };
}

describe('a key with max_concurrent', () => {
  it('has what is beyond it wait, unbooked, until one of its texts has ended', async () => {
    world = await openTextWorld();
    const caller = await limitedTo(1);
    const first = await begin(caller);
    const heard = world.vendor.heard.length;
    let isAnswered = false;
    const second = ask(caller).finally(() => {
      isAnswered = true;
    });
    // Another key of the same process is served meanwhile, more than once.
    const free = await world.caller();
    for (let times = 0; times < 3; times += 1) expect(await ask(free)).toMatchObject({ status: 200 });
    expect([isAnswered, await tasksOf(caller)]).toEqual([false, 1]);
    expect(world.vendor.heard).toHaveLength(heard + 3);

    first.end();
    expect(await first.answered).toMatchObject({ status: 200 });
    expect(await second).toMatchObject({ status: 200 });
    await world.quiet();
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 2n * COST });
  });

  it('answers 429 with Retry-After to who waited in vain, and has booked nothing for them', async () => {
    world = await openTextWorld({ times: { slotWaitMs: 300 } });
    const caller = await limitedTo(1);
    const first = await begin(caller);
    const before = await world.api.countRows();
    const refused = await ask(caller);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('x-task-id')).toBeNull();
    expect(await world.api.countRows()).toEqual(before);

    first.end();
    expect(await first.answered).toMatchObject({ status: 200 });
    expect(await ask(caller)).toMatchObject({ status: 200 });
  });

  it('forgets who hangs up while waiting', async () => {
    world = await openTextWorld();
    const caller = await limitedTo(1);
    const first = await begin(caller);
    const controller = new AbortController();
    const left = expect(ask(caller, { signal: controller.signal })).rejects.toThrow();
    const third = ask(caller);
    // Another whole call comes after them, so that both wait.
    expect(await ask(await world.caller())).toMatchObject({ status: 200 });
    controller.abort();
    await left;
    first.end();
    expect(await third).toMatchObject({ status: 200 });
    await world.quiet();
    expect(await tasksOf(caller)).toBe(2);
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 2n * COST });
  });

  it('holds over several processes, and each of them gets on', async () => {
    world = await openTextWorld();
    const other = await startTestApi({
      databaseUrl: world.api.databaseUrl,
      textChannels: [world.vendor.channel()],
    });
    try {
      const caller = await limitedTo(2);
      let [open, most] = [0, 0];
      const slow: Script = (response) => {
        open += 1;
        most = Math.max(most, open);
        setTimeout(() => {
          open -= 1;
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer('so')));
        }, 50);
      };
      for (let count = 0; count < 16; count += 1) world.vendor.next(slow);
      const asked = Array.from({ length: 16 }, (_, index) => ask(caller, { api: index % 2 ? other : world.api }));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses).toEqual(statuses.map(() => 200));
      expect(most).toBe(2);
      await world.quiet();
      expect(await world.spent(caller)).toEqual({ held: 0n, settled: 16n * COST });
    } finally {
      await other.stop();
    }
  });

  it('says at once that there is too little money, whoever runs', async () => {
    world = await openTextWorld();
    const caller = await world.api.createCaller({ balance: '0.165', maxConcurrent: 1 });
    const first = await begin(caller);
    expect(await ask(caller)).toMatchObject({ status: 402 });
    first.end();
    await first.answered;
    await world.quiet();
    expect(await heldOf(caller)).toBe(0n);
  });
});

const heldOf = async ({ accountId }: Caller) =>
  (await world.api.database.account.findUniqueOrThrow({ where: { id: accountId } })).heldNano;
