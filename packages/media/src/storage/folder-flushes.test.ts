import { FolderFlushes } from './folder-flushes';

/** Each flush ends when the test has it end. */
function byHand() {
  const begun: { folder: string; end(): void; fail(error: Error): void }[] = [];
  const flushes = new FolderFlushes(
    (folder) => new Promise((resolve, reject) => begun.push({ folder, end: resolve, fail: reject })),
  );
  return { flushes, begun };
}

it('serves by one flush all who asked before it began, and nobody who asked later', async () => {
  const { flushes, begun } = byHand();
  const first = flushes.flush('a');
  const [second, third] = [flushes.flush('a'), flushes.flush('a')];
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  await first;
  await new Promise(setImmediate);
  expect(begun).toHaveLength(2);
  const fourth = flushes.flush('a');
  begun[1]?.end();
  await Promise.all([second, third]);
  await new Promise(setImmediate);
  expect(begun).toHaveLength(3);
  begun[2]?.end();
  await fourth;
});

it('flushes folders beside each other', () => {
  const { flushes, begun } = byHand();
  void flushes.flush('a');
  void flushes.flush('b');
  expect(begun.map(({ folder }) => folder)).toEqual(['a', 'b']);
});

it('fails who waited for a flush that failed, and tries again for the next', async () => {
  const { flushes, begun } = byHand();
  const first = flushes.flush('a');
  const second = flushes.flush('a');
  begun[0]?.fail(new Error('the disk is gone'));
  await expect(first).rejects.toThrow('the disk is gone');
  await new Promise(setImmediate);
  begun[1]?.end();
  await expect(second).resolves.toBeUndefined();
});
