import files from 'node:fs/promises';
import type { TaskId } from '@mediagate/contracts';
import type { StorageHealth } from '@mediagate/media';
import { canOpenSmallDisk, forAllTests, forEachTest, openSmallDisk, until } from '@mediagate/testkit';
import { type FaultPoint, withFaultPoints } from './world/fault-points';
import { withAdapters } from './world/with-adapters';
import { type LocalWorker, openWorld } from './world/world';

const world = forAllTests(openWorld);
const disk = forEachTest(openSmallDisk);
afterEach(async () => {
  await world.closeWorkers();
  await disk.close();
  expect(await world.audit()).toEqual([]);
});

/** The disk is full once the first task has come to that point. */
function fullAt(point: FaultPoint): Promise<LocalWorker> {
  let isFull = false;
  return world.startWorker({
    home: disk.path,
    wrap: (deps) =>
      withFaultPoints(deps, async (reached) => {
        if (reached !== point || isFull) return;
        isFull = true;
        await disk.fill();
      }),
  });
}

const lines = ({ logged }: LocalWorker, event: string) => logged.filter((line) => line.event === event);

/** It was looked at, and waits in its row: nobody has it. */
const waits = (id: TaskId) =>
  until(async () => {
    const { fence, leaseUntil, nextStepAt } = await world.task(id);
    return fence > 0 && leaseUntil === null && nextStepAt !== null ? true : undefined;
  }, `task ${id} waits in its row`);

async function answered(name: string): Promise<string> {
  const label = world.label(name);
  await world.upstream.instruct(label, { starts: ['answer'] });
  return label;
}

(canOpenSmallDisk() ? describe : describe.skip)('a storage that is full', () => {
  it('has nothing begun: tasks wait in their rows without a mark, and once there is space each is made and charged once', async () => {
    await disk.fill();
    const worker = await world.startWorker({ home: disk.path });
    expect(lines(worker, 'storage.failing')).toHaveLength(1);
    const labels = await Promise.all([1, 2, 3].map(() => answered('begun')));
    const ids = await Promise.all(labels.map((label) => world.submit(label)));
    await Promise.all(ids.map(waits));
    for (const label of labels) expect(await world.journalOf(label)).toEqual([]);

    await disk.empty();
    await until(async () => lines(worker, 'storage.works')[0], 'the storage works');
    for (const [index, id] of ids.entries()) {
      expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, failedSteps: 0 });
      expect(await world.accepted(labels[index] ?? '')).toBe(1);
      expect(await world.attempts(id)).toHaveLength(1);
    }
  });

  it('keeps what was made in the answer itself until it can be stored, and nothing else is begun meanwhile', async () => {
    const worker = await fullAt('answer received');
    const [made, waiting] = [await answered('made'), await answered('waiting')];
    const first = await world.submit(made);
    await until(async () => lines(worker, 'storage.failing')[0], 'the write has failed');
    const second = await world.submit(waiting);
    await waits(second);
    expect(await world.task(first)).toMatchObject({ completedAt: null });
    expect(await world.journalOf(waiting)).toEqual([]);

    await disk.empty();
    expect(await world.hastened(first)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 1 });
    expect(await world.accepted(made)).toBe(1);
    await until(async () => lines(worker, 'storage.works')[0], 'the storage works');
    expect(await world.hastened(second)).toMatchObject({ status: 'completed', attemptsMade: 1 });
  });

  it('that takes no file of an answer counts as failing at once, and the file waits for space until its step is over', async () => {
    const worker = await world.startWorker();
    const step = worker.deps.openFiles({ owner: { accountId: 'any' }, signal: new AbortController().signal });
    const error = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const made = jest.spyOn(files, 'mkdtemp').mockRejectedValueOnce(error);
    const { path, totalBytes } = await step.newFile().end();
    expect([(await files.stat(path)).size, totalBytes]).toEqual([0, 0]);
    expect(lines(worker, 'storage.failing')).toMatchObject([{ fields: { reason: 'work full' } }]);
    await step.close();
    const other = worker.deps.openFiles({ owner: { accountId: 'any' }, signal: new AbortController().signal });
    made.mockRejectedValueOnce(error);
    const waiting = other.newFile().end();
    await Promise.all([expect(waiting).rejects.toThrow('the step is over'), other.close()]);
    made.mockRestore();
  });

  it('leaves a finished job at its vendor, unfetched and without a mark, until it can be stored', async () => {
    const worker = await fullAt('upstream done');
    const label = world.label('finished');
    const id = await world.submit(label);
    await until(async () => lines(worker, 'storage.failing')[0], 'the write has failed');
    await waits(id);
    await disk.empty();
    await until(async () => lines(worker, 'storage.works')[0], 'the storage works');
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n });
    expect(await world.accepted(label)).toBe(1);
  });

  it('ends by its deadline what a lookup found absent, as never begun: no vendor was paid', async () => {
    await world.startWorker({
      home: disk.path,
      wrap: (deps) =>
        withAdapters(({ lookup }) => ({
          start: () => Promise.reject(new TypeError('a bug before anything was sent')),
          ...(lookup && {
            async lookup(attemptId, context) {
              await disk.fill();
              await (deps.store.health as StorageHealth).check();
              return lookup(attemptId, context);
            },
          }),
        }))(deps),
    });
    const id = await world.submit(world.label('absent'), { model: 'lookup', deadlineMs: 25_000 });
    expect(await world.hastened(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { reason: 'service_unavailable' },
    });
    expect((await world.attempts(id)).map(({ state }) => state)).toEqual(['refused']);
  });

  it.each([
    ['was never begun', 'claimed', undefined],
    ['was made', 'answer received', 'unknown'],
  ] as const)('ends by its deadline what %s, refunded, for a reason of the service', async (_what, point, attempt) => {
    if (attempt === undefined) await disk.fill();
    await (attempt === undefined ? world.startWorker({ home: disk.path }) : fullAt(point));
    const id = await world.submit(await answered('late'), { deadlineMs: attempt === undefined ? 8000 : 25_000 });
    expect(await world.ended(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: {
        reason: 'service_unavailable',
        message: 'The service could not store results in time. You were not charged.',
      },
    });
    expect((await world.attempts(id)).map(({ state }) => state)).toEqual(attempt === undefined ? [] : [attempt]);
  });
});
