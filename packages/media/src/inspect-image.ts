import sharp from 'sharp';
import { sniff } from './sniff';

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'bmp';

export interface ImageFacts {
  format: ImageFormat;
  /** Pixels as stored, before any rotation that metadata asks for. */
  width: number;
  height: number;
  hasAlpha: boolean;
  /** More than one: an animation. */
  pages: number;
}

/** Not a picture, or one that nobody should decode. The message is fit for the caller. */
export class ImageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageError';
  }
}

/** A decoded picture takes up to four bytes a pixel; the largest that a model takes or makes has 8000 x 8000. */
const MAX_PIXELS = 64_000_000;
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp', 'gif'] satisfies ImageFormat[];

/**
 * Reads what the header of a PNG, JPEG, WebP, GIF or BMP says, and decodes nothing: a file of a few kilobytes can unfold to
 * gigabytes. Throws ImageError when the header is broken or promises more than 64 megapixels.
 */
export async function inspectImage(bytes: Buffer): Promise<ImageFacts> {
  const facts = await readFacts(bytes);
  const pixels = facts.width * facts.height;
  if (!(facts.width > 0 && facts.height > 0)) throw new ImageError('The image has no width or height.');
  if (pixels > MAX_PIXELS) {
    throw new ImageError(
      `The image has ${facts.width}x${facts.height} pixels; at most ${MAX_PIXELS / 1e6} megapixels are accepted.`,
    );
  }
  return facts;
}

/** Only what the bytes show to be one of five formats reaches a parser. */
async function readFacts(bytes: Buffer): Promise<ImageFacts> {
  const contentType = sniff(bytes)?.contentType;
  if (contentType === 'image/bmp') return readBitmapHeader(bytes);
  if (contentType?.startsWith('image/')) return readHeader(bytes);
  throw new ImageError('The file is not an image.');
}

async function readHeader(bytes: Buffer): Promise<ImageFacts> {
  // The library's own pixel limit answers without the numbers; the check above gives them. No pixel is touched before.
  const image = sharp(bytes, { limitInputPixels: false, pages: 1, failOn: 'warning' });
  const metadata = await image.metadata().catch((cause: unknown) => {
    throw new ImageError('The image cannot be read.', { cause });
  });
  const { format = '', width, height, hasAlpha = false, pages = 1 } = metadata;
  if (!isKnownFormat(format)) throw new ImageError('The image cannot be read.');
  return { format, width, height, hasAlpha, pages };
}

function isKnownFormat(format: string): format is ImageFormat {
  return FORMATS.includes(format);
}

const BITMAP_HEADER_BYTES = 30;

/** The image library does not know BMP. A negative height means that the rows run downwards. */
function readBitmapHeader(bytes: Buffer): ImageFacts {
  if (bytes.length < BITMAP_HEADER_BYTES) throw new ImageError('The image cannot be read.');
  const bitsPerPixel = bytes.readUInt16LE(28);
  const height = Math.abs(bytes.readInt32LE(22));
  return { format: 'bmp', width: bytes.readInt32LE(18), height, hasAlpha: bitsPerPixel === 32, pages: 1 };
}
