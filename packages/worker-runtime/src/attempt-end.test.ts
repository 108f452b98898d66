import { keptCounts } from './attempt-end';
import type { StoredOutput } from './profile';

const output = (role: StoredOutput['role'], seconds?: number): StoredOutput => ({
  role,
  url: 'https://media.example/1',
  contentType: 'any/thing',
  expiresAt: new Date(),
  sha256: '',
  ...(seconds === undefined ? {} : { seconds }),
});

it('counts what exists: images, videos and their whole length, and no covers', () => {
  const outputs = [output('image'), output('video', 5.2), output('video', 5.2), output('cover')];
  expect(keptCounts(outputs)).toEqual({ images: 1, videos: 2, seconds: 10 });
  expect(keptCounts([output('audio', 61.4)])).toEqual({ images: 0, seconds: 61 });
  expect(keptCounts([])).toEqual({ images: 0 });
});
