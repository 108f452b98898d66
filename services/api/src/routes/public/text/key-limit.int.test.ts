import type { ServerResponse } from 'node:http';
import { until } from '@mediagate/testkit';
import type { Caller } from '../../../../test/test-api';
import { answer, type Script } from '../../../../test/text-upstream';
import { BODY, COST, FLASH, openTextWorld, type TextWorld } from '../../../../test/text-world';

const WHOLE = `${FLASH}:generateContent`;

let world: TextWorld;
afterEach(() => world.close());

const limitedTo = (maxConcurrent: number) => world.api.createCaller({ balance: '1000', maxConcurrent });
const ask = ({ key }: Caller) => world.api.post(WHOLE, BODY, { key });
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
