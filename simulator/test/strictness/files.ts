import sharp from 'sharp';
import { flatPng, leftHalfMask } from '../images';
import { sampleMedia } from '../videos';

const NOISE = {
  create: {
    width: 1200,
    height: 1200,
    channels: 4 as const,
    background: '#000',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
  },
};
const uncompressed = { compressionLevel: 0 };

/** The files that requests point to or carry, by name. */
export async function makeFiles(): Promise<Record<string, Buffer>> {
  const large = await flatPng(900, 900);
  const mask = await leftHalfMask(900, 900);
  return {
    'a.png': await flatPng(64, 64),
    'large.png': large,
    'wide.png': await flatPng(900, 600),
    '299x400.png': await flatPng(299, 400),
    '300x760.png': await flatPng(300, 760),
    '300x400.png': await flatPng(300, 400),
    '301x800.png': await flatPng(301, 800),
    '400x400.png': await flatPng(400, 400),
    'clear.png': await sharp(large).ensureAlpha(0.5).png().toBuffer(),
    'a.webp': await sharp(large).webp().toBuffer(),
    'cut.png': (await sharp(large).png(uncompressed).toBuffer()).subarray(0, 5_000),
    'mask.png': mask,
    'mask.webp': await sharp(mask).webp().toBuffer(),
    'narrow-mask.png': await leftHalfMask(450, 900),
    'noise.png': await sharp(NOISE).png(uncompressed).toBuffer(),
    'clip.mp4': await sampleMedia('mp4', 4),
    'long.mp4': await sampleMedia('mp4', 14),
    'song.mp3': await sampleMedia('mp3', 8),
    'notes.txt': Buffer.from('a storm at sea'),
    'page.html': Buffer.from('<p>no sound</p>'),
    'eight-megabytes': Buffer.alloc(8 * 1024 * 1024),
  };
}
