import { type Image, redrawn } from './image';

const image: Image = { words: 'a fox', seed: 1, width: 64, height: 32, factor: 2 };

it('an image that is drawn anew keeps what its mask kept', () => {
  const masked = (seed: number) => ({ ...image, painted: { words: 'ice', seed, mask: Buffer.from('mask') } });
  expect(redrawn(masked(2), { words: 'ice', seed: 3 })).toEqual(masked(3));
  expect(redrawn(image, { words: 'a hare', seed: 3 })).toEqual({ ...image, words: 'a hare', seed: 3 });
});
