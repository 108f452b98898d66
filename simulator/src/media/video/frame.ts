import sharp from 'sharp';
import { drawImage } from '../drawing';
import type { VideoFileOrder } from './video-order';

/** A frame of exactly the video's size as PNG: a caller's image filling it, or a drawing. */
export async function drawFrame(order: VideoFileOrder, image: Buffer | undefined): Promise<Buffer> {
  const { prompt, seed, width, height } = order;
  const ground = image
    ? sharp(image).autoOrient().resize(width, height, { fit: 'cover' }).removeAlpha()
    : sharp(Buffer.from(drawImage(order, { prompt, seed, transparent: false })));
  return ground.removeAlpha().png({ compressionLevel: 1 }).toBuffer();
}
