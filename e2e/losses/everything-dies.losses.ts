import { until } from '@mediagate/testkit';
import { type Answer, asCalledBack } from '../system/caller';
import { type System, startSystem } from '../system/start-system';

const JOBS = 60;
/** One of five jobs is cancelled as soon as it is accepted. */
const CANCELLED_EACH = 5;
const UNIT = 1_000_000_000n;
/** Each is killed once, and started again; Redis comes back empty. */
const VICTIMS = ['image', 'api', 'webhook-delivery', 'redis', 'image'] as const;
/** So many more jobs are asked of the vendors before the next kill. */
const ASKED_BETWEEN = 5;
/** Each wait is for one step of the work; only a run that makes none comes to this. */
const LIMIT_MS = 900_000;

let system: System;
beforeAll(async () => {
  const env = { SIM_IMAGE_MS: '100', WORKER_CONCURRENCY: '4' };
  system = await startSystem({ env, ownRedis: true });
});
afterAll(() => system.stop());

it(
  'ends every job once, with clean books and every callback, while api, worker, sender and Redis die and some are cancelled',
  async () => {
    const { caller, accountId } = await system.account(1000n * UNIT);
    const webhook = system.simulator.receiverUrl('everything-dies');
    const toldCancelled = new Set<string>();
    const prompts = Array.from({ length: JOBS }, (_, index) => `job ${String(index).padStart(3, '0')} of sixty`);

    const [ids] = await Promise.all([submitAll(), killAll()]);
    const records = await Promise.all(ids.map((id) => caller.ended(id, LIMIT_MS)));

    expect(new Set(ids).size).toBe(JOBS);
    expect(await system.database.task.count({ where: { accountId } })).toBe(JOBS);
    for (const [index, { id, status, error }] of records.entries()) {
      const ends =
        index % CANCELLED_EACH === 0 ? ['completed', 'cancelled', 'outcome_unknown'] : ['completed', 'outcome_unknown'];
      const end = status === 'failed' ? error?.reason : status;
      expect(toldCancelled.has(id) ? ['cancelled'] : ends).toContain(end);
    }
    const starts = (await system.simulator.journal()).filter(({ accepted }) => accepted).map(({ prompt }) => prompt);
    expect(starts.length).toBe(new Set(starts).size);
    const received = await allCallbacks(ids);
    for (const record of records) {
      const own = received.filter(({ headers }) => headers['webhook-id'] === record.id);
      expect([...new Set(own.map(({ body }) => body))].map((body) => JSON.parse(body))).toEqual([asCalledBack(record)]);
    }
    expect(await system.audit()).toEqual([]);

    async function killAll(): Promise<void> {
      let asked = 0;
      for (const name of VICTIMS) {
        asked = (await system.simulator.asked(asked + ASKED_BETWEEN)).length;
        const victim = name === 'redis' ? system.redis : system.services[name];
        await victim?.kill();
        await victim?.start({ empty: true });
      }
    }

    async function submitAll(): Promise<string[]> {
      const submitted: string[] = [];
      for (const [index, prompt] of prompts.entries()) {
        const body = { model: 'imagegen-2.5-flare', prompt, quality: 'low', webhook };
        const headers = { 'idempotency-key': prompt.replaceAll(' ', '-') };
        const { status, body: answer } = await patiently(() => caller.post('/v1/images/generations', body, headers));
        expect({ status, answer }).toMatchObject({ status: 200 });
        const id: string = answer.data[0].task_id;
        submitted.push(id);
        if (index % CANCELLED_EACH > 0) continue;
        const cancelling = await patiently(() => caller.post(`/v1/tasks/${id}/cancel`, ''));
        if (cancelling.status === 200) toldCancelled.add(id);
      }
      return submitted;
    }

    /** Asks again while the API is away, as a careful caller does. */
    function patiently(ask: () => Promise<Answer>): Promise<Answer> {
      return until(async () => {
        const answer = await ask().catch(() => undefined);
        return answer !== undefined && answer.status < 500 && answer;
      }, 'the API answers');
    }

    /** Every delivery has ended, and each was delivered; then the receiver has them all. */
    async function allCallbacks(taskIds: readonly string[]) {
      for (const taskId of taskIds) {
        const where = { taskId, state: 'delivered' };
        await until(async () => (await system.database.webhookDelivery.count({ where })) > 0, 'it is delivered');
      }
      return system.simulator.received('everything-dies', JOBS);
    }
  },
  LIMIT_MS,
);
