import { newTaskId, type TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { openTestDatabase, prismaOf } from '@mediagate/testkit';
import { explainRetry, retryTask, type Tasks } from '../src';

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});
afterAll(() => close());

const BY = { actor: 'cli:ada' };
const FAILED = `status = 'failed', progress = 100, completed_at = now(), error = '{}'`;
const COMPLETED = `status = 'completed', progress = 100, completed_at = now(), result = '{}'`;

/** A task that waits an hour for its next step, five failed ones behind it, changed as `set` says. */
async function stuckTask(set = 'fence = 7'): Promise<TaskId> {
  const id = newTaskId();
  await prismaOf(database).$transaction([
    prismaOf(database).$executeRawUnsafe(`
      insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version,
        reserved_nano, status, next_step_at, woken_at, deadline_at, failed_steps, fence)
      values ('${id}', 'account', 'key', 'image', 'image', 'model', 'generate', '{}', '{}', 1,
        5, 'processing', now() + interval '1 hour', now() + interval '1 hour', now() + interval '2 hours', 5, 7)`),
    prismaOf(database).$executeRawUnsafe(`update tasks set ${set} where id = '${id}'`),
  ]);
  return id;
}

/** The domain, with a queue that keeps what is enqueued. */
function open(): Pick<Tasks, 'database' | 'queue' | 'logger'> & { jobs: object[] } {
  const jobs: object[] = [];
  const queue = {
    enqueueTask: async (task: object) => void jobs.push(task),
    enqueueDelivery: async () => undefined,
    enqueueDeliveries: async () => undefined,
  };
  return { database, queue, logger: { warn: () => undefined }, jobs };
}

const read = (id: TaskId) => database.task.findUniqueOrThrow({ where: { id } });
/** Retries it, and says why nothing was done. */
async function refused(id: TaskId) {
  expect(await retryTask(open(), id, BY)).toEqual({ kind: 'unchanged' });
  return explainRetry(database, id);
}

const notes = (subject: string) => database.auditLogEntry.findMany({ where: { subject } });

describe('retrying a task', () => {
  it('makes it due at once with no failed step counted, and notes who did it', async () => {
    const id = await stuckTask();
    expect(await retryTask(open(), id, BY)).toMatchObject({
      kind: 'changed',
      row: { after: { family: 'image', fence: 7, lease_ms: 0 } },
    });
    expect(await read(id)).toMatchObject({ failedSteps: 0, status: 'processing', fence: 7 });
    const due = await database.findDueTasks([{ family: 'image', after: null }], { graceMs: 0, limit: 10 });
    expect(due.map((task) => task.id)).toContain(id);
    expect(await notes(id)).toMatchObject([
      { actor: 'cli:ada', action: 'task.retry', detail: { before: { failed_steps: 5 } } },
    ]);
  });

  it('leaves alone what runs in the process that took it in, because no worker could go on with it', async () => {
    const id = await stuckTask('run_by_submitter = true');
    expect(await refused(id)).toEqual({ kind: 'runs_at_once' });
    expect(await read(id)).toMatchObject({ failedSteps: 5, fence: 7 });
    expect(await notes(id)).toEqual([]);
  });

  it('leaves a worker its lease, says how long it may still hold the task, and enqueues the job for after it', async () => {
    const id = await stuckTask(`lease_until = now() + interval '20 seconds'`);
    const before = await read(id);
    const tasks = open();
    const outcome = await retryTask(tasks, id, BY);
    if (outcome.kind !== 'changed') throw new Error(outcome.kind);
    const leaseMs = outcome.row.after['lease_ms'];
    expect(leaseMs).toBeGreaterThan(10_000);
    expect(leaseMs).toBeLessThanOrEqual(20_000);
    expect(tasks.jobs).toMatchObject([{ taskId: id, family: 'image', fence: 7, delayMs: leaseMs }]);
    expect((await read(id)).leaseUntil).toEqual(before.leaseUntil);
  });

  it('counts a lease that has ended as none', async () => {
    const id = await stuckTask(`lease_until = now() - interval '20 seconds'`);
    expect(await retryTask(open(), id, BY)).toMatchObject({ row: { after: { lease_ms: 0 } } });
  });

  it.each([
    ['a completed task', COMPLETED, { kind: 'ended', status: 'completed' }],
    ['a failed task', FAILED, { kind: 'ended', status: 'failed' }],
    ['one whose deadline has passed', `deadline_at = now() - interval '1 second'`, { kind: 'overdue' }],
  ])('refuses %s and changes nothing', async (_what, set, outcome) => {
    const id = await stuckTask(set);
    const before = await read(id);
    expect(await refused(id)).toEqual(outcome);
    expect(await read(id)).toEqual(before);
    expect(await notes(id)).toEqual([]);
  });

  it('says when there is no such task', async () => {
    expect(await refused(newTaskId())).toEqual({ kind: 'not_found' });
  });
});
