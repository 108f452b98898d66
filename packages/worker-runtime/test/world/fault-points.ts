import type { TaskId } from '@mediagate/contracts';
import { until, withMethods } from '@mediagate/testkit';
import type { Adapter } from '@mediagate/upstreams';
import type { WorkerDeps } from '../../src/worker-deps';
import type { JournalEntry } from '../generic-upstream/script';

/** Every place between two effects of a task's life at which a worker can die or freeze. */
export const FAULT_POINTS = [
  'before the claim',
  'claimed',
  'intent written',
  'request sent',
  'answer received',
  'operation saved',
  'upstream done',
  'outputs mirrored',
  'before the end is written',
  'after the end was written',
] as const;
/** The same of a job that has a second stage, between the two. */
export const STAGE_FAULT_POINTS = ['stage done', 'stage intent written', 'next stage accepted'] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number] | (typeof STAGE_FAULT_POINTS)[number];

type Reach = (point: FaultPoint, taskId: TaskId) => Promise<void>;

/** The same dependencies, telling `reach` of every point that a task comes to and going on when that resolves. */
export function withFaultPoints(deps: WorkerDeps, reach: Reach): WorkerDeps {
  const { database, finish, store, adapters } = deps;
  /** By attempt, and by the vendor's id of its job: adapters are given nothing else. */
  const tasks = new Map<unknown, TaskId>();
  const taskOf = (id: unknown) => tasks.get(id) as TaskId;
  return {
    ...deps,
    database: withMethods(database, {
      async claimTask(id, leaseMs) {
        await reach('before the claim', id);
        const row = await database.claimTask(id, leaseMs);
        return after(row, () => row?.leftForMs === null && !row.counted, 'claimed', id);
      },
      async beginStage(task, attemptId) {
        await reach('stage done', task.id);
        return after(await database.beginStage(task, attemptId), (held) => held, 'stage intent written', task.id);
      },
      async beginAttempt(task, attempt) {
        tasks.set(attempt.attemptId, task.id);
        return after(await database.beginAttempt(task, attempt), (held) => held, 'intent written', task.id);
      },
      async beginLimitedAttempt(task, attempt, ...limits) {
        tasks.set(attempt.attemptId, task.id);
        const rows = await database.beginLimitedAttempt(task, attempt, ...limits);
        return after(rows, ([row]) => row?.outcome === 'begun', 'intent written', task.id);
      },
      async saveOperation(task, accepted) {
        tasks.set(accepted.operation['id'], task.id);
        return after(await database.saveOperation(task, accepted), (held) => held, 'operation saved', task.id);
      },
    }),
    store: {
      ownsUrl: (url) => store.ownsUrl(url),
      resolveOwnUrl: (url) => store.resolveOwnUrl(url),
      inputs: store.inputs,
      health: store.health,
      save: async (media) => after(await store.save(media), () => true, 'outputs mirrored', media.taskId as TaskId),
    },
    async finish(end) {
      await reach('before the end is written', end.taskId);
      return after(await finish(end), () => true, 'after the end was written', end.taskId);
    },
    adapters: new Map([...adapters].map(([protocol, adapter]) => [protocol, watched(adapter)])),
  };

  async function after<T>(result: T, applies: (result: T) => boolean, point: FaultPoint, taskId: TaskId): Promise<T> {
    if (applies(result)) await reach(point, taskId);
    return result;
  }

  function watched(adapter: Adapter): Adapter {
    const { start, check, startNext } = adapter;
    return {
      ...adapter,
      async start(request, context) {
        const answer = start(request, context);
        const taskId = taskOf(request.attemptId);
        await until(
          () => hasStarted(context.endpoint.baseUrl, String(request.request['label'])),
          'the upstream has it',
        );
        await reach('request sent', taskId);
        return after(await answer, () => true, 'answer received', taskId);
      },
      ...(startNext && {
        startNext: async (stage, context) =>
          after(await startNext(stage, context), () => true, 'next stage accepted', taskOf(stage.attemptId)),
      }),
      ...(check && {
        check: async (operation, context) =>
          after(
            await check(operation, context),
            ({ kind }) => kind === 'done',
            'upstream done',
            taskOf(operation['id']),
          ),
      }),
    };
  }
}

async function hasStarted(baseUrl: string, label: string): Promise<boolean> {
  const journal = (await (await fetch(`${baseUrl}/journal`)).json()) as JournalEntry[];
  return journal.some((entry) => entry.label === label && ['accepted', 'refused'].includes(entry.event));
}
