import { twoAtOnce } from './ffmpeg';

it('two runs are under way at once, and each end lets one more begin', async () => {
  const begun: string[] = [];
  const ends = new Map<string, { succeed(): void; fail(error: Error): void }>();
  const work = twoAtOnce(([name = '']) => {
    begun.push(name);
    return new Promise((succeed, fail) => ends.set(name, { succeed, fail }));
  });
  const runs = ['a', 'b', 'c', 'd', 'e'].map((name) => work([name]));
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.succeed();
  await runs[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  ends.get('a')?.fail(new Error('unreadable'));
  await expect(runs[0]).rejects.toThrow('unreadable');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  ends.get('c')?.succeed();
  await runs[2];
  ends.get('d')?.succeed();
  ends.get('e')?.succeed();
  await Promise.all(runs.slice(2));
  const later = ['f', 'g', 'h'].map((name) => work([name]));
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  for (const name of ['f', 'g']) ends.get(name)?.succeed();
  await Promise.all(later.slice(0, 2));
  ends.get('h')?.succeed();
  await Promise.all(later);
});
