import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../system/caller';
import { type System, startSystem } from '../system/start-system';
import { killAtRandom } from './kill-at-random';

/** One in five is a video, whose vendor stops what it has not begun; images are sent in one call that nobody stops. */
const TASKS = 1000;
const VIDEO_EACH = 5;
const AT_ONCE = 40;
/** The receiver keeps no more than 500 callbacks of one address. */
const RECEIVERS = 10;
/** From a submission to its cancellation, at most. */
const PATIENCE_MS = 3000;
const KILLS = 25;
const VICTIMS = ['image', 'video', 'api', 'redis', 'webhook-delivery', 'image', 'video'] as const;
const SERVICES = ['api', 'image', 'video', 'webhook-delivery', 'reconciler'] as const;
const UNIT = 1_000_000_000n;
const ENDS_WITHIN_MS = 240_000;

let system: System<(typeof SERVICES)[number]>;
beforeAll(async () => {
  const env = { SIM_IMAGE_MS: '200', SIM_VIDEO_MS: '8000', WORKER_CONCURRENCY: '8' };
  system = await startSystem({ services: SERVICES, env, ownRedis: true });
}, 120_000);
afterAll(() => system.stop(), 120_000);

it('cancellations that race with starts, ends and kills: exact books, each task ends once, each callback is one', async () => {
  const limits = { submitPerMinute: 1_000_000, queryPerMinute: 1_000_000 };
  const { caller, accountId } = await system.account(100_000n * UNIT, limits);

  const next = Array.from({ length: TASKS }, (_, index) => index)[Symbol.iterator]();
  const answers: { id: string; index: number; answer: Answer }[] = [];
  const racing = Promise.all(Array.from({ length: AT_ONCE }, raceAll));
  const kills = await killAtRandom(system, VICTIMS, KILLS);
  await racing;

  const told = { 200: 0, 409: 0 };
  const ends = { cancelled: 0, completed: 0, failed: 0 };
  const received = await allCallbacks();
  for (const { id, answer } of answers) {
    told[answer.status as 200 | 409] += 1;
    const row = await system.database.task.findUniqueOrThrow({ where: { id } });
    const isCancelled = row.status === 'failed' && (row.error as { reason: string }).reason === 'cancelled';
    ends[isCancelled ? 'cancelled' : (row.status as 'completed' | 'failed')] += 1;
    if (answer.status === 200) expect({ id, isCancelled }).toEqual({ id, isCancelled: true });
    const entries = await system.database.ledgerEntry.findMany({ where: { taskId: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ kind }) => kind)).toEqual(['hold', row.status === 'completed' ? 'settle' : 'refund']);
    const bodies = new Set(received.filter(({ headers }) => headers['webhook-id'] === id).map(({ body }) => body));
    expect([...bodies].map((body) => JSON.parse(body).status)).toEqual([row.status]);
  }
  expect(await system.database.task.count({ where: { accountId } })).toBe(TASKS);
  expect(await system.audit()).toEqual([]);
  const account = await system.database.account.findUniqueOrThrow({ where: { id: accountId } });
  expect(account.heldNano).toBe(0n);
  const stopped = (await system.simulator.journal()).filter(
    ({ operation, replyStatus }) => operation === 'cancel' && replyStatus === 200,
  );
  const figures = { told, ends, stoppedAtTheVendor: stopped.length, callbacks: received.length };
  process.stdout.write(`${JSON.stringify(figures)}, kills: ${kills.join(' ')}\n`);

  async function raceAll(): Promise<void> {
    for (const index of next) {
      const id = await submitPatiently(index);
      await delay(Math.random() * PATIENCE_MS);
      answers.push({ id, index, answer: await patiently(() => caller.post(`/v1/tasks/${id}/cancel`, '')) });
    }
  }

  async function submitPatiently(index: number): Promise<string> {
    const [path, body] =
      index % VIDEO_EACH === 0
        ? ['/v1/videos/generations', { model: 'videoa-2.6', prompt: 'a kite', duration: 5, resolution: '720p' }]
        : ['/v1/images/generations', { model: 'imagegen-2.5-flare', prompt: 'a kite', quality: 'low' }];
    const headers = { 'idempotency-key': `cancel-${index}` };
    const webhook = system.simulator.receiverUrl(`cancels-${index % RECEIVERS}`);
    const { status, body: answer } = await patiently(() => caller.post(path, { ...body, webhook }, headers));
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(answer)}`);
    return answer.data[0].task_id;
  }

  /** Asks again while the API is away. */
  async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const answer = await ask().catch(() => undefined);
      if (answer && answer.status < 500) return answer;
      await delay(100);
    }
    throw new Error('the API did not come back');
  }

  /** Every task has ended and every delivery was made; then the receiver has them all. */
  async function allCallbacks() {
    const limit = Date.now() + ENDS_WITHIN_MS;
    const where = { accountId, state: 'delivered' };
    while ((await system.database.webhookDelivery.count({ where })) < TASKS) {
      if (Date.now() > limit) throw new Error('not every callback was delivered');
      await delay(500);
    }
    const tokens = Array.from({ length: RECEIVERS }, (_, index) => `cancels-${index}`);
    const boxes = await Promise.all(tokens.map((token) => system.simulator.received(token, TASKS / RECEIVERS)));
    return boxes.flat();
  }
}, 600_000);
