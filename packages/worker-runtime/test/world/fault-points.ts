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

type Reach = (point: FaultPoint) => Promise<void>;

/** The same dependencies, telling `reach` of every point that a task comes to and going on when that resolves. */
export function withFaultPoints(deps: WorkerDeps, reach: Reach): WorkerDeps {
  const { database, finish, store, adapters } = deps;
  return {
    ...deps,
    database: withMethods(database, {
      async claimTask(...given) {
        await reach('before the claim');
        return after(await database.claimTask(...given), (row) => row?.leftForMs === null && !row.counted, 'claimed');
      },
      async beginStage(...given) {
        await reach('stage done');
        return after(await database.beginStage(...given), (held) => held, 'stage intent written');
      },
      beginAttempt: async (...given) => after(await database.beginAttempt(...given), (held) => held, 'intent written'),
      beginLimitedAttempt: async (...given) =>
        after(await database.beginLimitedAttempt(...given), ([row]) => row?.outcome === 'begun', 'intent written'),
      saveOperation: async (...given) =>
        after(await database.saveOperation(...given), (held) => held, 'operation saved'),
    }),
    store: {
      ownsUrl: (url) => store.ownsUrl(url),
      resolveOwnUrl: (url) => store.resolveOwnUrl(url),
      inputs: store.inputs,
      health: store.health,
      save: async (media) => after(await store.save(media), () => true, 'outputs mirrored'),
    },
    async finish(end) {
      await reach('before the end is written');
      return after(await finish(end), () => true, 'after the end was written');
    },
    adapters: new Map([...adapters].map(([protocol, adapter]) => [protocol, watched(adapter)])),
  };

  async function after<T>(result: T, applies: (result: T) => boolean, point: FaultPoint): Promise<T> {
    if (applies(result)) await reach(point);
    return result;
  }

  function watched(adapter: Adapter): Adapter {
    const { start, check, startNext } = adapter;
    return {
      ...adapter,
      async start(request, context) {
        const answer = start(request, context);
        await until(
          () => hasStarted(context.endpoint.baseUrl, String(request.request['label'])),
          'the upstream has it',
        );
        await reach('request sent');
        return after(await answer, () => true, 'answer received');
      },
      ...(startNext && {
        startNext: async (stage, context) => after(await startNext(stage, context), () => true, 'next stage accepted'),
      }),
      ...(check && {
        check: async (operation, context) =>
          after(await check(operation, context), ({ kind }) => kind === 'done', 'upstream done'),
      }),
    };
  }
}

async function hasStarted(baseUrl: string, label: string): Promise<boolean> {
  const journal = (await (await fetch(`${baseUrl}/journal`)).json()) as JournalEntry[];
  return journal.some((entry) => entry.label === label && ['accepted', 'refused'].includes(entry.event));
}
