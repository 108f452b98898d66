import { forAllTests, until } from '@mediagate/testkit';
import { answer, type Script, says, streams } from '../../../../test/text-upstream';
import { BODY, FLASH, openTextWorld } from '../../../../test/text-world';

const [WHOLE, STREAM] = [`${FLASH}:generateContent`, `${FLASH}:streamGenerateContent?alt=sse`];
const CONNECTIONS = 4;
const endless = streams([answer('So that')], () => undefined);
const script: Script = (response, call) =>
  (call.path.includes('stream') ? endless : says(answer('At once.')))(response, call);

const world = forAllTests(() => openTextWorld({ textConnections: CONNECTIONS, script }));

/** A stream that its vendor does not end; resolves once it has begun. */
async function begin(key: string): Promise<() => void> {
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(BODY), signal: controller.signal };
  expect((await fetch(`${world.api.url}${STREAM}`, init)).status).toBe(200);
  return () => controller.abort();
}

it('a text of another account begins while one account has its share of the connections to a vendor, and waits for more', async () => {
  const [one, another] = [await world.caller(), await world.caller()];
  const streaming = Array.from({ length: CONNECTIONS }, () => begin(one.key));
  const where = { accountId: one.accountId };
  await until(async () => (await world.api.database.task.count({ where })) === CONNECTIONS, 'all are booked');
  expect(await world.api.post(WHOLE, BODY, { key: another.key })).toMatchObject({ status: 200 });
  expect(world.vendor.heard.filter(({ path }) => !path.includes('stream'))).toHaveLength(1);
  expect(world.other.heard).toEqual([]);

  // Whenever one ends, the next begins.
  for (const [count, begun] of streaming.entries()) {
    const leave = await begun;
    expect(world.vendor.heard.filter(({ path }) => path.includes('stream')).length).toBeLessThanOrEqual(count + 2);
    leave();
  }
  await world.quiet();
});
