import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { timeOrderedId } from '@mediagate/contracts';
import { createFilesystemStorage, MediaGoneError } from '@mediagate/media';
import { forEachTest } from '@mediagate/testkit';
import { openLog, openWorld } from './world';

const WEEKS_MS = 14 * 86_400_000;
const world = forEachTest(openWorld);
afterEach(() => world.close());

async function save(lifetimeMs: number): Promise<string> {
  const media = { purpose: 'result', bytes: Buffer.from('image'), contentType: 'image/png' } as const;
  return (await world.media.save({ ...media, accountId: world.accountId, lifetimeMs })).id;
}

/** Paths of the stored files. */
async function files(): Promise<string[]> {
  const entries = await readdir(join(world.home, 'media', 'objects'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('expire-media', () => {
  it('removes the bytes whose time is over, keeps the row to say so, and touches nothing else', async () => {
    const [over, kept] = [await save(0), await save(3_600_000)];
    const job = world.reconciler().expireMedia;
    expect(await job.run()).toEqual({ done: 1, more: false });
    expect(await files()).toHaveLength(1);
    await expect(world.media.read(over)).rejects.toThrow(MediaGoneError);
    expect((await world.media.find(over))?.deletedAt).toBeInstanceOf(Date);
    expect(await world.media.read(kept)).toEqual(Buffer.from('image'));
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('reports what the storage would not remove, and tries it again', async () => {
    await save(0);
    const [file = ''] = await files();
    await rm(file);
    await mkdir(join(file, 'in the way'), { recursive: true });
    const { logger, lines } = openLog();
    const job = world.reconciler({ logger }).expireMedia;
    expect(await job.run()).toEqual({ done: 0, more: false });
    expect(lines()).toMatchObject([{ message: 'media.not_removed', count: 1 }]);

    await rm(file, { recursive: true });
    expect(await job.run()).toEqual({ done: 1, more: false });
  });
});

describe('release-inputs', () => {
  const input = (taskId: string) => ({
    accountId: world.accountId,
    keyId: 'key_1',
    taskId,
    contentType: 'image/png',
    lifetimeMs: 3_600_000,
    bytes: Buffer.from(`of ${taskId}`),
  });

  it('removes what a task had stored for its vendor once it has ended, gives its space back, and leaves the others theirs', async () => {
    const [ended, open] = [await world.submit(), await world.submit()];
    const [over, kept] = [await world.media.inputs.save(input(ended)), await world.media.inputs.save(input(open))];
    const job = world.reconciler().releaseInputs;
    expect(await job.run()).toEqual({ done: 0, more: false });
    await world.fail(ended);
    expect(await job.run()).toEqual({ done: 1, more: false });
    await expect(world.media.read(over.id)).rejects.toThrow(MediaGoneError);
    expect(await world.media.read(kept.id)).toEqual(input(open).bytes);
    const { storedBytes } = await world.database.storageUsage.findUniqueOrThrow({
      where: { owner: `inputs:${world.accountId}` },
    });
    expect(storedBytes).toBe(BigInt(kept.bytes));
  });

  it('comes to all of them, however few are looked at together', async () => {
    const ids = [await world.submit(), await world.submit(), await world.submit()];
    for (const id of ids) await world.media.inputs.save(input(id));
    for (const id of ids.slice(1)) await world.fail(id);
    const runs = [];
    while (runs.at(-1)?.more !== false) runs.push(await world.media.inputs.release(1));
    expect(runs.map(({ removed }) => removed).sort()).toEqual([0, 0, 1, 1]);
  });
});

it('remove-stray-objects takes away what a crash left without a row, at once after another of its kind', async () => {
  const job = world.reconciler().removeStrayObjects;
  const storage = await createFilesystemStorage({ root: join(world.home, 'media') });
  await storage.put(`uploads/${timeOrderedId(Date.now() - WEEKS_MS)}.png`, Buffer.from('x'), {
    contentType: 'image/png',
    bytes: 1,
  });
  const kept = await save(3_600_000);
  const runs = [];
  while (!runs.at(-1)?.more) runs.push(await job.run());
  expect(runs.at(-1)).toEqual({ done: 1, more: true });
  const left = (await files()).filter((file) => !file.includes('/deployments/'));
  expect(left).toEqual([expect.stringContaining(kept)]);
});

it('remove-stray-objects removes nothing where another deployment keeps files, and logs once whose mark it met', async () => {
  const storage = await createFilesystemStorage({ root: join(world.home, 'media') });
  const mark = 'deployments/2026-01-01t00.00.00.000z';
  for (const key of [mark, `uploads/${timeOrderedId(Date.now() - WEEKS_MS)}.png`]) {
    await storage.put(key, Buffer.from('x'), { contentType: 'image/png', bytes: 1 });
  }
  const { logger, lines } = openLog();
  const job = world.reconciler({ logger }).removeStrayObjects;
  for (let part = 0; part < 16; part += 1) expect(await job.run()).toEqual({ done: 0, more: false });
  expect(lines()).toMatchObject([{ message: 'media.storage_shared', detail: mark }]);
});

it('remove-stray-objects logs that the storage refuses the mark once as long as it does, and does not fail', async () => {
  const { logger, lines } = openLog();
  const refused = { removed: 0, errors: [], others: [], unmarked: new Error('denied') };
  const removeNext = jest.spyOn(world.media.strayObjects, 'removeNext');
  const job = world.reconciler({ logger }).removeStrayObjects;
  for (const outcome of [refused, refused, { removed: 0, errors: [], others: [] }, refused]) {
    removeNext.mockResolvedValueOnce(outcome);
    expect(await job.run()).toEqual({ done: 0, more: false });
  }
  expect(lines().map(({ message }) => message)).toEqual(['media.not_marked', 'media.not_marked']);
});

it('prune-media-records forgets what has been gone for a month, and nothing younger', async () => {
  const [old, young] = [await save(0), await save(0)];
  await world.reconciler().expireMedia.run();
  const monthsAgo = new Date(Date.now() - 90 * 86_400_000);
  const aged = { id: timeOrderedId(monthsAgo.getTime()), deletedAt: monthsAgo };
  await world.database.mediaObject.update({ where: { id: old }, data: aged });
  expect(await world.reconciler().pruneMediaRecords.run()).toEqual({ done: 1, more: false });
  expect(await world.database.mediaObject.findMany({ select: { id: true } })).toEqual([{ id: young }]);
});
