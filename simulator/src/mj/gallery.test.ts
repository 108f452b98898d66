import sharp from 'sharp';
import { createGallery } from './gallery';
import type { Image } from './image';

it('what is painted over an image changes what its mask has white, and nothing else', async () => {
  const image: Image = { words: 'a fox', seed: 1, width: 64, height: 32, factor: 1 };
  const white = { create: { width: 64, height: 16, channels: 3, background: '#fff' } } as const;
  const black = { create: { width: 64, height: 32, channels: 3, background: '#000' } } as const;
  const below = [{ input: await sharp(white).png().toBuffer(), left: 0, top: 16 }];
  const mask = await sharp(await sharp(black).composite(below).png().toBuffer())
    .greyscale()
    .png()
    .toBuffer();
  const gallery = createGallery();
  const rowsOf = async (what: Image) => {
    const pixels = await sharp(await gallery.image(what))
      .raw()
      .toBuffer();
    return [pixels.subarray(0, 64 * 16 * 3), pixels.subarray(64 * 16 * 3)];
  };
  const [above, under] = await rowsOf({ ...image, painted: { words: 'ice', seed: 7, mask } });
  expect([above, under]).not.toContain(undefined);
  expect([[above], [under]]).toEqual([
    [(await rowsOf(image))[0]],
    [(await rowsOf({ ...image, words: 'ice', seed: 7 }))[1]],
  ]);
});
