import sharp from 'sharp';
import { image } from '../test/fixtures';
import { type AcceptedFile, acceptFile } from './accept-file';
import { readMedium } from './media-bytes';
import { toStillImage as makeStill } from './still-image';

const LIMITS = { field: 'file', maxBytes: 1_000_000, contentTypes: ['image/png', 'image/gif'] };

const toStillImage = (limits: typeof LIMITS, file: AcceptedFile) => makeStill(limits, file, () => undefined);

describe('toStillImage', () => {
  it('makes a PNG of the first frame of an animated GIF', async () => {
    const frame = (background: string) => ({ create: { width: 8, height: 6, channels: 3 as const, background } });
    const frames = await Promise.all(['red', 'blue'].map((colour) => sharp(frame(colour)).png().toBuffer()));
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await sharp(animation).metadata()).toMatchObject({ format: 'gif', pages: 2 });

    const still = await toStillImage(LIMITS, await acceptFile(LIMITS, animation));
    expect(still).toMatchObject({ contentType: 'image/png', width: 8, height: 6 });
    const png = await readMedium(still.bytes);
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 8, height: 6 });
    const { channels } = await sharp(png).stats();
    expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean))).toEqual([255, 0, 0]);
  });

  it('leaves every other type as it came', async () => {
    const png = await acceptFile(LIMITS, await image('png'));
    expect(await toStillImage(LIMITS, png)).toBe(png);
  });

  it('refuses a GIF whose frame would unfold beyond 16 megapixels, before decoding it', async () => {
    const gif = { bytes: Buffer.from('GIF89a'), contentType: 'image/gif', width: 4001, height: 4000 };
    await expect(toStillImage(LIMITS, gif)).rejects.toThrow(
      'file: The image has 4001x4000 pixels; at most 16 megapixels are accepted for the type GIF.',
    );
  });

  it('refuses a GIF whose header is sound and whose pixels are not', async () => {
    const whole = await image('gif');
    const gif = { bytes: whole.subarray(0, 40), contentType: 'image/gif', width: 30, height: 20 };
    await expect(toStillImage(LIMITS, gif)).rejects.toThrow('file: The image cannot be read.');
  });

  it('holds the PNG to the limit of the file', async () => {
    const gif = await acceptFile(LIMITS, await image('gif'));
    await expect(toStillImage({ ...LIMITS, maxBytes: 50 }, gif)).rejects.toMatchObject({ tooLarge: true });
  });
});
