import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileOnDisk } from '@mediagate/contracts';
import { WorkSlots } from '../work-slots';
import { createStepFiles, type StepFiles } from './step-files';

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'mediagate-step-'));
afterAll(() => rm(folder, { recursive: true }));

/** Files of steps that share 1 GiB, half of it for one owner. */
function open() {
  const openFiles = createStepFiles(
    { folder, maxBytes: 2048 * MIB, maxFileBytes: 1024 * MIB, slots: new WorkSlots() },
    () => undefined,
  );
  return (accountId: string, signal = new AbortController().signal) => openFiles({ owner: { accountId }, signal });
}

function write(step: StepFiles): Promise<FileOnDisk> {
  const writer = step.newFile();
  writer.push(Buffer.from('x'));
  return writer.end();
}

it('space that is reserved keeps others out until it is given back', async () => {
  const stepOf = open();
  const [first, second, other] = [stepOf('a'), stepOf('a'), stepOf('b')];
  expect([first.tryReserve(400 * MIB), second.tryReserve(400 * MIB), other.tryReserve(400 * MIB)]).toEqual([
    true,
    false,
    true,
  ]);
  first.shrinkTo(100 * MIB);
  await Promise.resolve();
  expect(second.tryReserve(400 * MIB)).toBe(true);
  await Promise.all([first, second, other].map((step) => step.close()));
  expect(stepOf('c').tryReserve(1024 * MIB)).toBe(true);
});

it('an answer that nobody announced waits for space, until its step is called off', async () => {
  const stepOf = open();
  const full = stepOf('a');
  full.tryReserve(1024 * MIB);
  const worker = new AbortController();
  const leaving = stepOf('c', worker.signal);
  const [late, never] = [write(stepOf('b')), write(leaving)];
  const reason = new Error('called off');
  worker.abort(reason);
  await expect(never).rejects.toBe(reason);
  // A rejection that nobody handles fails this test, and ends a worker.
  leaving.shrinkTo(0);
  await leaving.close();
  await full.close();
  expect((await late).path).toContain(folder);
});

it('files go with their step, and none is made nor has space after it', async () => {
  const stepOf = open();
  const step = stepOf('a');
  const before = await readdir(folder);
  await Promise.all([write(step), write(step)]);
  expect(await readdir(folder)).not.toEqual(before);
  await step.close();
  expect(await readdir(folder)).toEqual(before);
  const ended = stepOf('a');
  await ended.close();
  await expect(write(ended)).rejects.toThrow('the step is over');
  expect(stepOf('b').tryReserve(1024 * MIB)).toBe(true);
});
