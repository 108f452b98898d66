import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type System, type SystemAccount, startSystem } from '../system/start-system';

const PATHS = [
  '/v1beta/models/text-2.5-flash:generateContent',
  '/v1beta/models/text-2.5-flash:streamGenerateContent?alt=sse',
] as const;
const UNIT = 1_000_000_000n;
/** With so many texts each, one after the other: fewer at once than are waited for after their callers have left. */
const ACCOUNTS = 12;
const TEXTS_EACH = 10;
/** Callers leave within this, in milliseconds; vendors begin within twice as long. */
const LEAVES_WITHIN_MS = 1500;
const ENDED_WITHIN_MS = 120_000;

let system: System<'api' | 'reconciler'>;
beforeAll(async () => {
  system = await startSystem({ services: ['api', 'reconciler'] });
});
afterAll(() => system.stop());

it('120 texts whose callers leave at any moment: as many are paid as vendors were asked for, and the rest is refunded', async () => {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => system.account(10n * UNIT)));
  await Promise.all(accounts.map(leaveAll));
  await everyTaskEnded();

  const calls = (await system.simulator.journal()).filter(({ accepted }) => accepted);
  const found: object[] = [];
  const exact: object[] = [];
  for (const { accountId } of accounts) {
    const tasks = await system.database.task.findMany({ where: { accountId } });
    const paid = tasks.filter(({ status }) => status === 'completed');
    const { heldNano, settledNano } = await system.database.account.findUniqueOrThrow({ where: { id: accountId } });
    const asked = calls.filter(({ prompt }) => prompt?.includes(accountId)).length;
    found.push({
      paid: paid.length,
      free: paid.filter(({ costNano }) => !costNano).length,
      refunds: tasks.filter(({ status, costNano }) => status === 'failed' && costNano === 0n).length,
      heldNano,
      settledNano,
    });
    const settled = paid.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n);
    exact.push({ paid: asked, free: 0, refunds: tasks.length - asked, heldNano: 0n, settledNano: settled });
  }
  expect(found).toEqual(exact);
  expect(calls.length).toBeGreaterThan(ACCOUNTS);
  expect(await system.audit()).toEqual([]);
}, 120_000);

async function leaveAll(account: SystemAccount, of: number): Promise<void> {
  for (let count = 0; count < TEXTS_EACH; count += 1) {
    const number = of * TEXTS_EACH + count;
    const startsAfterMs = (number * 97) % (2 * LEAVES_WITHIN_MS);
    await leave(account, {
      path: PATHS[number % PATHS.length] as string,
      prompt: `A letter to ${account.accountId}. [[sim:latency=${startsAfterMs}ms]]`,
      afterMs: (number * 61) % LEAVES_WITHIN_MS,
    });
  }
}

/** On a connection of its own, which is gone afterwards, whatever was answered. */
async function leave({ key }: SystemAccount, of: { path: string; prompt: string; afterMs: number }): Promise<void> {
  const sent = request(system.baseUrl + of.path, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
  });
  sent.on('error', () => undefined).on('response', (response) => response.on('error', () => undefined).resume());
  const closed = new Promise<void>((resolve) => sent.once('close', () => resolve()));
  sent.end(JSON.stringify({ contents: [{ role: 'user', parts: [{ text: of.prompt }] }] }));
  await delay(of.afterMs);
  sent.destroy();
  await closed;
}

async function everyTaskEnded(): Promise<void> {
  const limit = Date.now() + ENDED_WITHIN_MS;
  while ((await system.database.task.count({ where: { completedAt: null } })) > 0) {
    if (Date.now() > limit) throw new Error('a task has not ended');
    await delay(50);
  }
}
