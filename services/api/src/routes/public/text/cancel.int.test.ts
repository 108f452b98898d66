import { MESSAGES } from '@mediagate/contracts';
import type { Caller } from '../../../../test/test-api';
import { answer, type Script, streams } from '../../../../test/text-upstream';
import { BODY, FLASH, openTextWorld, type TextWorld } from '../../../../test/text-world';

let world: TextWorld;
beforeAll(async () => {
  world = await openTextWorld({ times: { lingerMs: 1000 } });
});
afterAll(() => world.close());

const hangs: Script = () => undefined;

/** A text that its vendor does not end. */
async function ask(path: string, script: Script) {
  const caller = await world.caller();
  world.vendor.next(script);
  const count = world.vendor.heard.length + 1;
  const asked = world.api.post(path, BODY, { key: caller.key }).catch((error: Error) => error);
  while (world.vendor.heard.length < count) await new Promise(setImmediate);
  const [task] = await world.api.database.task.findMany({ where: { accountId: caller.accountId } });
  return { caller, asked, id: String(task?.id), ended: world.vendor.heard[count - 1]?.closed };
}

const cancel = (id: string, { key }: Caller) => world.api.post(`/v1/tasks/${id}/cancel`, '', { key });

describe('a text that is cancelled by its id', () => {
  it('before its vendor has answered pays for what was sent, stops the vendor, and answers whoever waits for it: 409', async () => {
    const { caller, asked, id, ended } = await ask(`${FLASH}:generateContent`, hangs);
    expect(await cancel(id, caller)).toMatchObject({ status: 409, body: { error: { reason: 'not_cancellable' } } });
    expect(await asked).toMatchObject({
      status: 503,
      body: { error: { message: MESSAGES.cancelled_by_caller, reason: 'cancelled' } },
    });
    await ended;
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 7n * 300n });
  });

  it('in the middle of a stream ends it, and pays for what came: 409', async () => {
    const endless = streams([answer('So that', {})], () => undefined);
    const { caller, asked, id, ended } = await ask(`${FLASH}:streamGenerateContent?alt=sse`, endless);
    expect(await cancel(id, caller)).toMatchObject({ status: 409, body: { error: { reason: 'not_cancellable' } } });
    expect(await asked).toMatchObject({ name: 'TypeError' });
    await ended;
    const { held, settled } = await world.spent(caller);
    expect(held).toBe(0n);
    expect(settled).toBeGreaterThan(0n);
  });
});
