import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ffmpeg, whenUnreadable } from './video/ffmpeg';

/** A BMP as PNG; undefined when it does not decode. Throws when ffmpeg cannot be run. */
export type BitmapReader = (bytes: Buffer) => Promise<Buffer | undefined>;

const MAX_PIXELS = 100_000_000;

export function isBitmap(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).toString('latin1') === 'BM';
}

/** Reads bitmaps by ffmpeg, because the image library knows no BMP. */
export function createBitmapReader(ffmpeg: Ffmpeg): BitmapReader {
  return async (bytes) => {
    const folder = await mkdtemp(join(tmpdir(), 'simulator-bitmap-'));
    try {
      const [source, target] = [join(folder, 'image.bmp'), join(folder, 'image.png')];
      await writeFile(source, bytes);
      const read = ['-xerror', '-max_pixels', String(MAX_PIXELS), '-f', 'bmp_pipe', '-i', source];
      return await ffmpeg([...read, '-frames:v', '1', target]).then(() => readFile(target), whenUnreadable);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}
