import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkSlots } from './work-slots';
import { freeWorkBytes, workSpaceOf } from './work-space';

const MIB = 1024 * 1024;
const owner = { accountId: 'a' };

const config = { WORK_FOLDER: '/work', WORK_FOLDER_MB: 5120 };

/** The bytes that results may take together on a volume. */
function resultBytesOn(freeBytes: number, filesPerResult: 1 | 2 = 1) {
  const work = workSpaceOf(config, new WorkSlots(), { freeBytes, filesPerResult });
  return work.slots.resultBytes(work);
}

it('results wait for the space that their volume has, whoever asks, where the setting allows more', () => {
  const slots = resultBytesOn(100 * MIB);
  const take = (accountId: string) => slots.tryTake({ owner: { accountId }, amount: 32 * MIB });
  const first = take('a');
  expect(first).toBeDefined();
  expect(['a', 'b', 'c', 'd'].map(take)).toEqual([undefined, undefined, undefined, undefined]);
  first?.release();
  expect(take('b')).toBeDefined();
});

it.each([32, 4096])(
  'a volume that is full when the worker starts lets one result of %d MiB in at a time, and never all',
  (mib) => {
    const slots = resultBytesOn(0);
    expect(workSpaceOf(config, new WorkSlots(), { freeBytes: 0 }).maxFileBytes).toBe(4096 * MIB);
    expect(slots.tryTake({ owner, amount: mib * MIB })).toBeDefined();
    expect(slots.tryTake({ owner, amount: 1 })).toBeUndefined();
  },
);

it('a volume with more space than the setting allows changes nothing', () => {
  expect(workSpaceOf(config, new WorkSlots(), { freeBytes: 9e12 })).toMatchObject({
    maxBytes: 5120 * MIB,
    maxFileBytes: 4096 * MIB,
  });
});

it('a result that may have a copy takes twice its bytes', () => {
  const slots = resultBytesOn(9e12, 2);
  const take = (amount: number) => slots.tryTake({ owner, amount });
  expect(take(1024 * MIB)).toBeDefined();
  expect(take(1)).toBeUndefined();
  const work = workSpaceOf(config, new WorkSlots(), { filesPerResult: 2 });
  expect(work.maxFileBytes).toBe(2048 * MIB);
});

it('the space of a volume is asked of the folder, which is made for it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'mediagate-work-'));
  const { blocks, bsize } = await statfs(root);
  const free = await freeWorkBytes({ WORK_FOLDER: join(root, 'new') });
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(blocks * bsize);
  await rm(root, { recursive: true });
  expect(await freeWorkBytes({ WORK_FOLDER: '/dev/null/none' })).toBe(Number.POSITIVE_INFINITY);
});
