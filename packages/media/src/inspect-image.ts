import { inEnglish, type Message, message } from '@mediagate/contracts';
import sharp from 'sharp';
import { firstFrameOfGif } from './image-end';
import { readPlainPng } from './plain-png';
import { sniff } from './sniff';
import type { ByteSource } from './sources/byte-source';
import { isTurnedWebp } from './turned-webp';

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'bmp' | 'avif';

export interface ImageFacts {
  format: ImageFormat;
  /** Pixels as shown: turned as the EXIF orientation asks. */
  width: number;
  height: number;
  hasAlpha: boolean;
}

/** Not an image, or one that nobody should decode. Callers may read the problem. */
export class ImageError extends Error {
  readonly problem: Message;

  constructor(problem: Message, options?: ErrorOptions) {
    super(inEnglish(problem), options);
    this.name = 'ImageError';
    this.problem = problem;
  }
}

/** A decoded image takes up to four bytes a pixel; the largest that a model takes or makes has 8000 x 8000. */
const MAX_PIXELS = 64_000_000;
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp', 'gif', 'avif'] satisfies ImageFormat[];

/**
 * Reads what the header of a PNG, JPEG, WebP, GIF, AVIF or BMP says, and decodes nothing: a file of a few kilobytes can unfold to
 * gigabytes. Throws ImageError when the header is broken or promises more than 64 megapixels.
 */
export async function inspectImage(bytes: Buffer): Promise<ImageFacts> {
  return judge(await readFacts(bytes));
}

/** The smallest beginning that is looked at, and the largest: a header stands behind whatever metadata a camera wrote. */
const HEAD_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 1024 * 1024;

/** The same for a file on the disk, of which no more is in memory than its beginning: the image library reads what it needs by itself. */
export async function inspectImageFile(source: ByteSource, path: string): Promise<ImageFacts> {
  const head = await source.read(0, HEAD_BYTES);
  // A GIF is not taken as it is: its first frame is read when it becomes another image.
  return judge(await (sniff(head)?.contentType === 'image/gif' ? readGifHeader(head) : readFacts(head, path)));
}

/** The same for an image of which only the header is read, so that a missing end goes unnoticed. */
export async function inspectImageHead(source: ByteSource): Promise<ImageFacts> {
  for (let bytes = HEAD_BYTES; ; bytes *= 4) {
    const head = await source.read(0, bytes);
    const isLast = head.length === source.totalBytes || bytes >= MAX_HEAD_BYTES;
    const facts = await readHeadFacts(head).catch((error: unknown) => {
      if (isLast || !(error instanceof ImageError)) throw error;
      return undefined;
    });
    if (facts === undefined) continue;
    // A WebP says behind its pixels how it is turned.
    return judge(facts.format === 'webp' && (await isTurnedWebp(source)) ? turned(facts) : facts);
  }
}

function turned(facts: ImageFacts): ImageFacts {
  return { ...facts, width: facts.height, height: facts.width };
}

function judge(facts: ImageFacts): ImageFacts {
  const pixels = facts.width * facts.height;
  if (!(facts.width > 0 && facts.height > 0)) throw new ImageError(message('image_without_size'));
  if (pixels > MAX_PIXELS) {
    throw new ImageError(
      message('image_pixels', { width: facts.width, height: facts.height, limit: MAX_PIXELS / 1e6 }),
    );
  }
  return facts;
}

/**
 * Only what the bytes show to be one of five formats reaches a parser.
 *
 * @param whole the file that begins so, where it goes on.
 */
async function readFacts(bytes: Buffer, whole: Buffer | string = bytes): Promise<ImageFacts> {
  const contentType = sniff(bytes)?.contentType;
  if (contentType === 'image/bmp') return readBitmapHeader(bytes);
  const plain = contentType === 'image/png' ? readPlainPng(bytes) : undefined;
  if (plain !== undefined) return plain;
  if (contentType === 'image/gif') return readHeader(await firstFrameOfGif(bytes));
  // The library takes minutes to walk through hundreds of thousands of frames.
  if (contentType === 'image/webp' && isAnimatedWebp(bytes)) return readWebpHeader(bytes);
  if (contentType?.startsWith('image/')) return readHeader(whole);
  throw new ImageError(message('not_an_image'));
}

async function readHeader(image: Buffer | string): Promise<ImageFacts> {
  // The library's own pixel limit answers without the numbers; the check above gives them. No pixel is touched before.
  if (image.length === 0) throw new ImageError(message('image_unreadable'));
  const read = sharp(image, { limitInputPixels: false, pages: 1, failOn: 'warning' });
  const metadata = await read.metadata().catch((cause: unknown) => {
    throw new ImageError(message('image_unreadable'), { cause });
  });
  const { autoOrient, hasAlpha = false } = metadata;
  // The library names the container, which other images have, too.
  const format = metadata.compression === 'av1' ? 'avif' : (metadata.format ?? '');
  if (!isKnownFormat(format)) throw new ImageError(message('image_unreadable'));
  return { format, ...autoOrient, hasAlpha };
}

function isKnownFormat(format: string): format is ImageFormat {
  return FORMATS.includes(format);
}

const BITMAP_HEADER_BYTES = 30;
/** Headers from this size on have a mask for transparency; in shorter ones the fourth byte of a pixel is padding. */
const MASKED_HEADER_BYTES = 56;
const ALPHA_MASK_OFFSET = 66;

/** The image library does not know BMP. A negative height means that the rows run downwards. */
function readBitmapHeader(bytes: Buffer): ImageFacts {
  if (bytes.length < BITMAP_HEADER_BYTES) throw new ImageError(message('image_unreadable'));
  const hasMask = bytes.readUInt32LE(14) >= MASKED_HEADER_BYTES && bytes.length >= ALPHA_MASK_OFFSET + 4;
  const hasAlpha = hasMask && bytes.readUInt32LE(ALPHA_MASK_OFFSET) !== 0;
  const height = Math.abs(bytes.readInt32LE(22));
  return { format: 'bmp', width: bytes.readInt32LE(18), height, hasAlpha };
}

const WEBP_HEADER_BYTES = 30;

/** The image library wants a WebP or a GIF whole, although all facts stand in the first bytes. */
async function readHeadFacts(head: Buffer): Promise<ImageFacts> {
  switch (sniff(head)?.contentType) {
    case 'image/webp':
      return readWebpHeader(head);
    case 'image/gif':
      return readGifHeader(head);
    default:
      return readFacts(head);
  }
}

const GIF_HEADER_BYTES = 10;

/** How many images follow is not known before the last one. It has no alpha channel, but a colour may be left out. */
function readGifHeader(bytes: Buffer): ImageFacts {
  if (bytes.length < GIF_HEADER_BYTES) throw new ImageError(message('image_unreadable'));
  return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), hasAlpha: false };
}

function isAnimatedWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 0x02) !== 0;
}

function readWebpHeader(bytes: Buffer): ImageFacts {
  if (bytes.length < WEBP_HEADER_BYTES) throw new ImageError(message('image_unreadable'));
  const facts = { format: 'webp' } as const;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return {
        ...facts,
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        hasAlpha: (bytes.readUInt8(20) & 0x10) !== 0,
      };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      const [width, height] = [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
      return { ...facts, width, height, hasAlpha: ((bits >>> 28) & 1) === 1 };
    }
    case 'VP8 ':
      return {
        ...facts,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
        hasAlpha: false,
      };
    default:
      throw new ImageError(message('image_unreadable'));
  }
}
