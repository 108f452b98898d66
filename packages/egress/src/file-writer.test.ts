import files, { type FileHandle } from 'node:fs/promises';
import { FileWriter } from './file-writer';

const MINUTE_MS = 60_000;
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('waits five minutes for the disk in all, from the first failure, however many of its steps fail', async () => {
  jest.useFakeTimers();
  const handle = { write: () => Promise.reject(full()), close: async () => undefined };
  jest.spyOn(files, 'open').mockResolvedValue(handle as unknown as FileHandle);
  const beganAt = performance.now();
  const isClosed = () => performance.now() - beganAt < 4 * MINUTE_MS;
  const newPath = () => (isClosed() ? Promise.reject(full()) : Promise.resolve('file'));
  const writer = new FileWriter(newPath, { waitsUntil: new AbortController().signal });
  writer.push(Buffer.from('bytes'));
  const ended = writer.end().then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => ({ code, minutes: (performance.now() - beganAt) / MINUTE_MS }),
  );
  await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
  const failure = await ended;
  expect(failure?.code).toBe('ENOSPC');
  expect(failure?.minutes).toBeGreaterThan(4.8);
  expect(failure?.minutes).toBeLessThanOrEqual(5);
});
