import sharp from 'sharp';
import { drawCaption, drawPicture, drawWatermark } from '../drawing';
import type { FilmOrder } from './film-order';

/** A frame of exactly the film's size as PNG: a caller's picture filling it, or a drawing; the prompt across the foot. */
export async function drawFrame(order: FilmOrder, picture: Buffer | undefined): Promise<Buffer> {
  const { prompt, seed, width, height } = order;
  const ground = picture
    ? sharp(picture).resize(width, height, { fit: 'cover' }).removeAlpha()
    : sharp(Buffer.from(drawPicture(order, { prompt, seed, transparent: false })));
  const layers = [...(picture ? [drawCaption(order, prompt)] : []), ...(order.watermark ? [drawWatermark(order)] : [])];
  return ground
    .composite(layers.map((svg) => ({ input: Buffer.from(svg) })))
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer();
}
