import type { MediaBytes } from '@mediagate/contracts';
import { endOfImage, upToEnd } from '../image-end';
import { ImageError, type ImageFacts, inspectImageHead } from '../inspect-image';
import { type ByteSource, bufferSource } from '../sources/byte-source';
import { withFileSource } from '../sources/file-source';
import { type FetchedImage, OutputError } from './output';
import { judgeType } from './receive-output';

/** The first bytes, by which an image is recognised. */
const HEAD_BYTES = 4096;

/** An image where it lies, measured, and there to its end. Throws OutputError. */
export function keepImage(role: 'image' | 'cover', bytes: MediaBytes): Promise<Omit<FetchedImage, 'dispose'>> {
  return Buffer.isBuffer(bytes)
    ? judge(role, bytes, bufferSource(bytes))
    : withFileSource(bytes.path, (source) => judge(role, bytes, source));
}

async function judge(role: 'image' | 'cover', bytes: MediaBytes, source: ByteSource) {
  const type = judgeType(role, await source.read(0, HEAD_BYTES), source.totalBytes);
  const { format, width, height } = await inspectImageHead(source).catch((error: unknown) => {
    throw error instanceof ImageError ? new OutputError(error.message, { cause: error }) : error;
  });
  const end = await endOfImage(source, type.contentType);
  // An image whose end is not found is kept whole: it is paid for, and its closing mark is there.
  if (end === undefined && (await isCutOff(format, source))) {
    throw new OutputError(`the ${format} of ${source.totalBytes} bytes is cut off`);
  }
  return { ...type, role, bytes: upToEnd(end, bytes), width, height, faults: [] };
}

/** Bytes at the end of a file in which its closing mark must stand. */
const TAIL_BYTES = 4096;

/** Encoders close what they write; a file without its closing mark lost its end. A WebP's header tells its length. */
async function isCutOff(format: ImageFacts['format'], { totalBytes, read }: ByteSource): Promise<boolean> {
  const tail = await read(Math.max(0, totalBytes - TAIL_BYTES), totalBytes);
  if (format === 'png') return !tail.includes('IEND', 0, 'latin1');
  if (format === 'jpeg') return !tail.includes('\xff\xd9', 0, 'latin1');
  return format === 'webp';
}
