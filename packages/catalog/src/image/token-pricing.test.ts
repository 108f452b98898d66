import { imageTokens } from './token-pricing';

it.each([
  [512, 512, 1],
  [513, 512, 2],
  [1, 1, 1],
  [2048, 2048, 16],
  [2049, 2049, 16],
  [4096, 1024, 4],
  [1024, 4096, 4],
  [6000, 3001, 12],
])(
  'an image of %d x %d is 85 + 170 per started 512 tile after fitting into 2048x2048: %d tiles',
  (width, height, tiles) => {
    expect(imageTokens({ width, height })).toBe(85 + 170 * tiles);
  },
);

it('an image whose longer side is scaled down never starts a fifth tile along it', () => {
  for (let side = 2049; side <= 8192; side += 1) expect(imageTokens({ width: side, height: side })).toBe(85 + 170 * 16);
});
