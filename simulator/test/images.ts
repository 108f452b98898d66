import sharp from 'sharp';

/** An image of one colour. */
export function flatPng(width: number, height: number, colour = '#3366cc'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();
}

/** A mask whose left half is transparent. */
export function leftHalfMask(width: number, height: number): Promise<Buffer> {
  const half = { create: { width: Math.floor(width / 2), height, channels: 4 as const, background: '#000' } };
  return sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite([{ input: half, left: Math.ceil(width / 2), top: 0 }])
    .png()
    .toBuffer();
}
