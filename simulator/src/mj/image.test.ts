import { type Drawing, type Image, redrawn } from './image';

const drawing = (seed: number): Drawing => ({ kind: 'drawing', words: 'a fox', width: 64, height: 32, seed });

it('an image that is drawn anew keeps what its mask kept, also where it was enlarged', () => {
  const masked = (seed: number): Image => {
    const of: Image = { kind: 'repainted', of: drawing(1), mask: Buffer.from('mask'), paint: drawing(seed) };
    return { kind: 'enlarged', of, factor: 2 };
  };
  expect(redrawn(masked(2), ({ width, height }) => ({ ...drawing(3), width, height }))).toEqual(masked(3));
});
