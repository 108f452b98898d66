import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkSlots } from './work-slots';
import { freeWorkBytes, workSpaceOf } from './work-space';

const MIB = 1024 * 1024;
const owner = { accountId: 'a' };

/** The bytes that results may take together on a volume. */
function resultBytesOn(freeBytes: number) {
  const { maxBytes, slots } = workSpaceOf({ WORK_FOLDER: '/work', WORK_FOLDER_MB: 5120 }, new WorkSlots(), freeBytes);
  return slots.resultBytes(maxBytes);
}

it('results wait for the space that their volume has, where the setting allows more', () => {
  const slots = resultBytesOn(100 * MIB);
  const first = slots.tryTake({ owner, amount: 32 * MIB });
  expect(first).toBeDefined();
  expect(slots.tryTake({ owner, amount: 32 * MIB })).toBeUndefined();
  first?.release();
  expect(slots.tryTake({ owner, amount: 32 * MIB })).toBeDefined();
});

it('a volume that is full when the worker starts lets one result in at a time, and never all', () => {
  const slots = resultBytesOn(0);
  expect(slots.tryTake({ owner, amount: 32 * MIB })).toBeDefined();
  expect(slots.tryTake({ owner, amount: 1 })).toBeUndefined();
});

it('a volume with more space than the setting allows changes nothing', () => {
  expect(workSpaceOf({ WORK_FOLDER: '/work', WORK_FOLDER_MB: 5120 }, new WorkSlots(), 9e12).maxBytes).toBe(5120 * MIB);
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
