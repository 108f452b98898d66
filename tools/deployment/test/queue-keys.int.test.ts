import { EventEmitter, once } from 'node:events';
import { newTaskId } from '@mediagate/contracts';
import { openQueues } from '@mediagate/queue';
import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { Redis } from 'ioredis';
import { renderChart } from './chart';

/** The lists that KEDA measures, as the chart names them, by queue. */
function listsOf(prefix: string): Map<string, { waiting: string; active: string }> {
  const scaled = renderChart({ keda: { enabled: true, prefix } }).filter(({ kind }) => kind === 'ScaledObject');
  return new Map(
    scaled.map(({ metadata, spec }) => {
      const [waiting, active] = spec.triggers.map(
        (trigger: { metadata: { listName: string } }) => trigger.metadata.listName,
      );
      return [metadata.labels?.['app.kubernetes.io/component'] ?? '', { waiting, active }];
    }),
  );
}

describe('the lists that KEDA measures', () => {
  const prefix = uniquePrefix();
  const lists = listsOf(prefix);
  const queues = openQueues({ redisUrl: testRedisUrl(), prefix });
  const redis = new Redis(testRedisUrl());
  const hand = new EventEmitter();
  const released = once(hand, 'released');

  afterAll(async () => {
    hand.emit('released');
    await queues.close();
    redis.disconnect();
  });

  it('are those in which the jobs of a family wait, and are in flight', async () => {
    const { waiting = '', active = '' } = lists.get('image') ?? {};
    for (let made = 0; made < 4; made += 1)
      await queues.enqueueTask({ family: 'image', taskId: newTaskId(), fence: 1 });
    await queues.enqueueTask({ family: 'image', taskId: newTaskId(), fence: 1, delayMs: 60_000 });
    expect([await redis.type(waiting), await redis.llen(waiting)]).toEqual(['list', 4]);
    const taken = once(hand, 'taken');
    const handle = async () => {
      hand.emit('taken');
      await released;
    };
    queues.consumeTasks('image', handle, { concurrency: 1 });
    await taken;
    expect([await redis.type(active), await redis.llen(active)]).toEqual(['list', 1]);
    expect(await redis.llen(waiting)).toBe(3);
  });

  it('are those in which callbacks wait', async () => {
    const { waiting = '' } = lists.get('webhook-delivery') ?? {};
    await queues.enqueueDelivery({ deliveryId: 'dlv_1', attemptsMade: 0 });
    expect(await redis.llen(waiting)).toBe(1);
  });
});
