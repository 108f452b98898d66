import { setTimeout as delay } from 'node:timers/promises';
import { type System, startSystem } from '../system/start-system';

const DOWN_MS = 30_000;
const EVERY_MS = 100;
const UNIT = 1_000_000_000n;
/** From Redis coming back empty to every waiting task in a worker's hand. */
const REDISPATCH_GOAL_MS = 5_000;

let system: System;
beforeAll(async () => {
  system = await startSystem({ env: { SIM_IMAGE_MS: '20' }, ownRedis: true });
}, 120_000);
afterAll(() => system.stop(), 120_000);

it('accepts every submission during thirty seconds without Redis, and dispatches them all when it is back', async () => {
  const { caller, accountId } = await system.account(1000n * UNIT);
  await caller.ended(await caller.submit({}));
  await system.redis?.kill();

  const downSince = Date.now();
  const durations: number[] = [];
  const taskIds: string[] = [];
  while (Date.now() - downSince < DOWN_MS) {
    const askedAt = performance.now();
    taskIds.push(await caller.submit({ prompt: `without redis ${taskIds.length}` }));
    durations.push(performance.now() - askedAt);
    await delay(EVERY_MS);
  }
  const backAt = Date.now();
  await system.redis?.start({ empty: true });
  // A task that is in the queue again was enqueued since, or is past waiting.
  const waiting = { accountId, status: 'submitted', OR: [{ wokenAt: null }, { wokenAt: { lt: new Date(backAt) } }] };
  while ((await system.database.task.count({ where: waiting })) > 0 && Date.now() - backAt < 60_000) await delay(20);
  const dispatchedMs = Date.now() - backAt;
  const records = await Promise.all(taskIds.map((id) => caller.ended(id, 60_000)));

  expect(records.every(({ status }) => status === 'completed')).toBe(true);
  expect(await system.audit()).toEqual([]);
  durations.sort((left, right) => left - right);
  const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0;
  process.stdout.write(
    `${taskIds.length} accepted while Redis was down, p50 ${(durations[durations.length >> 1] ?? 0).toFixed(0)} ms, ` +
      `p99 ${p99.toFixed(0)} ms; all dispatched ${dispatchedMs} ms after Redis was back (goal ${REDISPATCH_GOAL_MS})\n`,
  );
}, 240_000);
