import { adjust } from '@mediagate/billing';
import { nanoToNumber } from '@mediagate/contracts';
import { askText, creditOf, makeBusy } from '../../../test/busy-caller';
import { type Caller, SMALL_IMAGE, smallImagePrice, type TestApi } from '../../../test/test-api';
import { fileOf, pngOf } from '../../../test/test-images';
import { answer, says } from '../../../test/text-upstream';
import { openTextWorld, RESERVED, type TextWorld } from '../../../test/text-world';

/** Half of it is longer than a test takes until its submissions. */
const CREDIT = { TEXT_CREDIT: 50, TEXT_CREDIT_SECONDS: 10 };
const SYSTEM = { actor: 'test', reason: 'a test' } as const;

describe('while all of an account’s money is out as credit of texts', () => {
  let world: TextWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await openTextWorld({ credit: CREDIT });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    do caller = await callerOfCredit();
    while ((await balance()).remain_balance > 0);
    expect(await creditOf(world, caller)).toBeGreaterThan(RESERVED + 4n * smallImagePrice());
  });

  /** A text that its vendor does not answer keeps what was taken from being given back by itself. */
  async function callerOfCredit(): Promise<Caller> {
    const made = await world.caller();
    await makeBusy(world, made);
    const { length } = world.vendor.heard;
    world.vendor.next(() => undefined);
    void askText(world.api, made).catch(() => undefined);
    while (world.vendor.heard.length === length) await new Promise(setImmediate);
    await takeBack(world, made, 0n);
    return made;
  }

  const balance = async () => (await world.api.get('/v1/user/balance', { key: caller.key })).body;
  const image = (more: object = {}) =>
    world.api.post('/v1/images/generations', { ...SMALL_IMAGE, ...more }, { key: caller.key });
  const estimate = (body: object) =>
    world.api.post('/v1/estimate', { path: '/v1/images/generations', body }, { key: caller.key });

  it('an estimate says that it is affordable, and `held_balance` what is out', async () => {
    const { held_balance: held } = await balance();
    expect(held).toBe(nanoToNumber(await creditOf(world, caller)));
    expect((await estimate(SMALL_IMAGE)).body.data.affordable).toBe(true);
    expect(await creditOf(world, caller)).toBeGreaterThan(0n);
  });

  it('a link is judged by itself, not refused for money', async () => {
    const { status, body } = await image({ image_urls: ['http://127.0.0.1:9/a.png'] });
    expect([status, body.error.param]).toEqual([400, 'image_urls[0]']);
  });

  it.each([
    ['a submission', () => image()],
    [
      'one with a file',
      () => {
        const form = new FormData();
        form.set('model', 'imagegen-2.5-flare');
        form.set('prompt', 'a boat');
        form.set('quality', 'low');
        form.set('image', fileOf(pngOf(320, 320)), 'a.png');
        return world.api.post('/v1/images/edits', form, { key: caller.key });
      },
    ],
  ])('%s gets what it needs, once that is called in', async (_what, submit) => {
    expect((await submit()).status).toBe(200);
  });
});

describe('three processes', () => {
  /** All that each reserves. */
  const DEAR = { promptTokenCount: 7, candidatesTokenCount: 65_536, totalTokenCount: 65_543 };
  let world: TextWorld;
  let processes: TestApi[];
  beforeAll(async () => {
    world = await openTextWorld({ script: says(answer('So that.', { usageMetadata: DEAR })) });
    processes = [world.api, await world.another(), await world.another()];
  });
  afterAll(async () => {
    for (const each of processes.slice(1)) await each.stop();
    await world.close();
  });

  it('that have taken credit of an account answer 50 of 200 texts on money for 50, and refuse the others for money', async () => {
    const caller = await world.caller();
    await makeBusy(world, caller, processes);
    await takeBack(world, caller, 50n * RESERVED);
    const texts = Array.from({ length: 200 }, (_, index) => askText(processes[index % 3] ?? world.api, caller));
    const statuses = (await Promise.all(texts)).map(({ status }) => status);
    const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
    expect({ answered: count(200), refused: count(402) }).toEqual({ answered: 50, refused: 150 });
    for (const each of processes) await each.drain();
    const account = await world.api.database.account.findUniqueOrThrow({ where: { id: caller.accountId } });
    expect({ ...account, left: account.toppedUpNano - account.settledNano }).toMatchObject({
      left: 0n,
      heldNano: 0n,
      creditNano: 0n,
    });
  });
});

/** Of the money of an account all but `left`, credit included where that is less than all of it. */
async function takeBack({ api }: TextWorld, { accountId }: Caller, left: bigint): Promise<void> {
  const { database } = api;
  for (;;) {
    const account = await database.account.findUniqueOrThrow({ where: { id: accountId } });
    const spendable = account.toppedUpNano - account.settledNano - account.heldNano;
    const amountNano = left === 0n ? account.creditNano - spendable : left - spendable;
    const { kind } = await adjust(database, { accountId, amountNano, note: 'for the test' }, SYSTEM);
    if (kind === 'changed') return;
  }
}
