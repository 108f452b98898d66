import { endByOperator } from '@mediagate/billing';
import { MESSAGES, type TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import type { Caller } from '../../../../test/test-api';
import { answer, type Script, streams } from '../../../../test/text-upstream';
import { BODY, FLASH, openTextWorld } from '../../../../test/text-world';

const world = forAllTests(() => openTextWorld({ times: { lingerMs: 1000, leaseRenewalMs: 50 } }));

const hangs: Script = () => undefined;

/** A text that its vendor does not end. */
async function ask<Answered>(path: string, script: Script, send: (path: string, key: string) => Promise<Answered>) {
  const caller = await world.caller();
  world.vendor.next(script);
  const count = world.vendor.heard.length + 1;
  const asked = send(path, caller.key).catch((error: Error) => error);
  while (world.vendor.heard.length < count) await new Promise(setImmediate);
  const [task] = await world.api.database.task.findMany({ where: { accountId: caller.accountId } });
  return { caller, asked, id: String(task?.id), ended: world.vendor.heard[count - 1]?.closed };
}

const post = (path: string, key: string) => world.api.post(path, BODY, { key });

/** Reads an answer until its connection breaks. */
async function readUntilBroken(path: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${world.api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(BODY) });
  let text = '';
  const reading = (async () => {
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(piece);
  })();
  await expect(reading).rejects.toThrow();
  return text;
}

const cancel = (id: string, { key }: Caller) => world.api.post(`/v1/tasks/${id}/cancel`, '', { key });

describe('a text that is cancelled by its id', () => {
  it('before its vendor has answered pays for what was sent, stops the vendor, and answers whoever waits for it: 409', async () => {
    const { caller, asked, id, ended } = await ask(`${FLASH}:generateContent`, hangs, post);
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
    const { caller, asked, id, ended } = await ask(`${FLASH}:streamGenerateContent?alt=sse`, endless, post);
    expect(await cancel(id, caller)).toMatchObject({ status: 409, body: { error: { reason: 'not_cancellable' } } });
    expect(await asked).toMatchObject({ name: 'TypeError' });
    await ended;
    const { held, settled } = await world.spent(caller);
    expect(held).toBe(0n);
    expect(settled).toBeGreaterThan(0n);
  });
});

describe('a text that an operator ends', () => {
  const failByOperator = (id: string) =>
    endByOperator(world.api.database, { taskId: id as TaskId }, { actor: 'operator:test', reason: 'by mistake' });

  it('before its vendor has answered stops the vendor, and says so to whoever waits for it; it is refunded once', async () => {
    const { caller, asked, id, ended } = await ask(`${FLASH}:generateContent`, hangs, post);
    expect(await failByOperator(id)).toMatchObject({ kind: 'changed' });
    expect(await asked).toMatchObject({
      status: 503,
      body: { error: { message: MESSAGES.cancelled, status: 'UNAVAILABLE', reason: 'cancelled' } },
    });
    await ended;
    await world.quiet();
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 0n });
  });

  it('in the middle of a stream stops the vendor, and tells the caller before the connection breaks', async () => {
    const endless = streams([answer('So that', {})], () => undefined);
    const { caller, asked, id, ended } = await ask(`${FLASH}:streamGenerateContent?alt=sse`, endless, readUntilBroken);
    expect(await failByOperator(id)).toMatchObject({ kind: 'changed' });
    const events = await asked;
    expect(events).toContain('So that');
    expect(events).toContain(JSON.stringify(MESSAGES.cancelled));
    await ended;
    await world.quiet();
    expect(await world.spent(caller)).toEqual({ held: 0n, settled: 0n });
  });
});
