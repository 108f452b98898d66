import { forAllTests, until } from '@mediagate/testkit';
import { smallPng } from './generic-upstream/png';
import type { StartMove } from './generic-upstream/script';
import { withAdapters } from './world/with-adapters';
import { openWorld, SHORT_LEASE_MS, type World } from './world/world';

const imageUrl = `data:image/png;base64,${smallPng().toString('base64')}`;
const VARIANTS = ['never', 'idempotent', 'lookup'] as const;

const world = forAllTests(() => openWorld({ leaseMs: SHORT_LEASE_MS }));
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** The first calls throw after the adapter has done its work; later ones are sound. */
function throwingAfter<Args extends unknown[], T>(work: (...args: Args) => Promise<T>, calls: number) {
  let left = calls;
  return async (...args: Args): Promise<T> => {
    const result = await work(...args);
    left -= 1;
    if (left >= 0) throw new TypeError('a bug in the adapter');
    return result;
  };
}

async function expectResolved(taskId: Awaited<ReturnType<World['submit']>>, label: string, model: string) {
  const task = await world.hastened(taskId);
  const events = (await world.journalOf(label)).map(({ event }) => event);
  const attempts = await world.attempts(taskId);
  expect(events.filter((event) => event === 'accepted')).toHaveLength(1);
  expect(attempts).toHaveLength(1);
  if (model === 'never') {
    expect(task).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { message: 'The generation was interrupted and its outcome is unknown. You were not charged.' },
    });
    expect(attempts).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
  } else {
    expect(task).toMatchObject({ status: 'completed', costNano: 100n });
    expect(attempts).toMatchObject([{ state: 'succeeded' }]);
  }
  expect(events.filter((event) => event === 'replayed')).toHaveLength(model === 'idempotent' ? 1 : 0);
}

describe('an upstream whose answer was lost', () => {
  const losses: [string, StartMove][] = [
    ['the connection broke', 'accept and drop'],
    ['it could not be read', 'accept and garble'],
  ];
  const cases = losses.flatMap(([why, move]) => VARIANTS.map((model) => [why, model, move] as const));

  it.each(cases)('because %s (%s): never has a second job of the task', async (_, model, move) => {
    const label = world.label(model);
    await world.upstream.instruct(label, { starts: [move, 'accept'] });
    await world.startWorker();
    await expectResolved(await world.submit(label, { model }), label, model);
  });

  it.each(VARIANTS)('to an adapter that throws after sending (%s): likewise', async (model) => {
    const label = world.label(model);
    await world.startWorker({ wrap: withAdapters(({ start }) => ({ start: throwingAfter(start, 1) })) });
    await expectResolved(await world.submit(label, { model }), label, model);
  });

  it.each(['idempotent', 'lookup'] as const)(
    'for good (%s): is given up with a refund after a limit',
    async (model) => {
      const label = world.label(model);
      await world.startWorker({
        wrap: withAdapters(({ start, lookup }) => ({
          start: throwingAfter(start, 100),
          ...(lookup && { lookup: throwingAfter(lookup, 100) }),
        })),
      });
      const id = await world.submit(label, { model });
      expect(await world.hastened(id)).toMatchObject({ status: 'failed', costNano: 0n });
      expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
      expect(await world.accepted(label)).toBe(1);
    },
  );
});

describe('while the fate of an attempt is open', () => {
  it.each([
    ['refuses', { status: 503 }],
    ['limits', { status: 429, retryAfterSeconds: 0 }],
    ['fails', { status: 500 }],
  ])('an upstream that %s the second sending does not send the task to another channel', async (_, move) => {
    const [first, second] = [world.label('first'), world.label('second')];
    const protocol = 'idempotent';
    const channels = [world.channel(first, { protocol }), world.channel(second, { protocol, priority: 2 })];
    await world.upstream.instruct(first, { starts: ['accept and drop', move, 'accept'] });
    await world.startWorker({ channels });
    const label = world.label();
    const id = await world.submit(label, { model: protocol });
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(await world.accepted(label)).toBe(1);
    expect(await world.attempts(id)).toMatchObject([{ channelId: first, state: 'succeeded' }]);
  });

  it('a lookup that throws is asked again, and nothing is started in its place', async () => {
    const label = world.label('lookup');
    await world.upstream.instruct(label, { starts: ['accept and drop', 'accept'] });
    await world.startWorker({
      wrap: withAdapters(({ lookup }) => (lookup ? { lookup: throwingAfter(lookup, 2) } : {})),
    });
    const id = await world.submit(label, { model: 'lookup' });
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(await world.accepted(label)).toBe(1);
    expect(await world.attempts(id)).toHaveLength(1);
  });
});

describe('an attempt that never reached its upstream', () => {
  it('is given up when its files find no place, and the task starts anew once they do', async () => {
    const label = world.label('unsent');
    let unsent = true;
    const releases: (() => void)[] = [];
    await world.startWorker({
      wrap: (deps) => {
        const { files } = deps.slots;
        const takeAll = () => {
          const take = (owner = 0) => files.tryTake({ owner: { accountId: `owner ${owner}` } });
          for (let slot = take(); slot; slot = take(releases.length)) releases.push(slot.release);
        };
        return withAdapters(({ start, lookup }) => ({
          async start(request, context) {
            if (!unsent) return start(request, context);
            unsent = false;
            throw new TypeError('a bug before anything was sent');
          },
          ...(lookup && {
            lookup(attemptId, context) {
              takeAll();
              return lookup(attemptId, context);
            },
          }),
        }))(deps);
      },
    });
    const id = await world.submit(label, { model: 'lookup', imageUrl });
    await until(async () => {
      await world.hasten(id);
      return (await world.task(id)).attemptState === null && releases.length > 0;
    }, 'its files find no place');
    for (const release of releases) release();
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(await world.accepted(label)).toBe(1);
    expect(await world.attempts(id)).toMatchObject([
      { state: 'refused', fault: 'not_accepted', detail: 'files_busy' },
      { state: 'succeeded' },
    ]);
  });
});

describe('what an upstream says and no column takes', () => {
  it.each(VARIANTS)('as the id of a job (%s): ends the task with a refund, once', async (model) => {
    const label = world.label(model);
    await world.startWorker({
      wrap: withAdapters(({ start }) => ({
        async start(request, context) {
          const answer = await start(request, context);
          return answer.kind === 'started' ? { ...answer, externalId: 'job \u0000' } : answer;
        },
      })),
    });
    const id = await world.submit(label, { model });
    expect(await world.hastened(id)).toMatchObject({ status: model === 'lookup' ? 'completed' : 'failed' });
    expect(await world.accepted(label)).toBe(1);
  });

  it('in words of a refusal does not hold the task up', async () => {
    const label = world.label('words');
    await world.startWorker({
      wrap: withAdapters(() => ({
        start: async () => ({ kind: 'refused', fault: { code: 'bad_request', detail: 'no \u0000' } }),
      })),
    });
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({ status: 'failed', costNano: 0n });
  });
});
