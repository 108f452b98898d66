import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkSlots } from './work-slots';
import { freeWorkBytes, workSpaceOf } from './work-space';

const MIB = 1024 * 1024;
const owner = { accountId: 'a' };

const config = { WORK_FOLDER: '/work', WORK_FOLDER_MB: 5120 };

/** The bytes that results may take together on a volume. */
function resultBytesOn(freeBytes: number, largestBytes: number) {
  const { maxBytes, slots } = workSpaceOf(config, new WorkSlots(), { freeBytes, largestBytes });
  return slots.resultBytes(maxBytes);
}

it('results wait for the space that their volume has, where the setting allows more', () => {
  const slots = resultBytesOn(100 * MIB, 32 * MIB);
  const first = slots.tryTake({ owner, amount: 32 * MIB });
  expect(first).toBeDefined();
  expect(slots.tryTake({ owner, amount: 32 * MIB })).toBeUndefined();
  first?.release();
  expect(slots.tryTake({ owner, amount: 32 * MIB })).toBeDefined();
});

it.each([512, 4096])(
  'on a volume that is full when the worker starts a result of %d MiB comes in alone, and whole',
  (mib) => {
    const slots = resultBytesOn(0, mib * MIB);
    expect(slots.tryTake({ owner, amount: mib * MIB })).toMatchObject({ amount: mib * MIB });
    expect(slots.tryTake({ owner, amount: 1 })).toBeUndefined();
  },
);

it('a volume with more space than the setting allows changes nothing', () => {
  expect(workSpaceOf(config, new WorkSlots(), { freeBytes: 9e12, largestBytes: MIB }).maxBytes).toBe(5120 * MIB);
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
