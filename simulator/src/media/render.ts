import sharp from 'sharp';
import { type Canvas, drawImage } from './drawing';

export interface ImageOrder extends Canvas {
  /** Without fault directives. */
  prompt: string;
  seed: number;
  format: 'png' | 'jpeg' | 'webp';
  /** 1 to 100; jpeg and webp only. */
  quality?: number;
  transparent?: boolean;
}

// Images are seldom drawn twice, and a busy test run should not fill the memory with them.
sharp.cache(false);

/** Draws an image; the same order gives the same bytes. An edit is drawn anew, too: nothing of its input is in it. */
export function renderImage({ format, quality = 100, transparent = false, ...order }: ImageOrder): Promise<Buffer> {
  const drawing = sharp(Buffer.from(drawImage(order, { ...order, transparent })));
  // An opaque image carries no alpha channel, so that its presence means something.
  const image = transparent ? drawing : drawing.flatten({ background: '#fff' });
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 4 }).toBuffer();
    case 'webp':
      return image.webp({ quality: Math.max(1, quality), effort: 1 }).toBuffer();
    case 'jpeg':
      return image.jpeg({ quality: Math.max(1, quality) }).toBuffer();
  }
}
