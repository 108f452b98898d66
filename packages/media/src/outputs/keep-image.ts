import { collect } from '@mediagate/egress';
import { endOfImage } from '../image-end';
import { ImageError, inspectImage } from '../inspect-image';
import { type FetchedImage, OutputError } from './output';
import { judgeType } from './receive-output';

/** An image in memory, measured, and there to its end. Throws OutputError. */
export async function keepImage(role: 'image' | 'cover', chunks: AsyncIterable<Buffer>): Promise<FetchedImage> {
  const bytes = await collect(chunks);
  const type = judgeType(role, bytes, bytes.length);
  const size = await inspectResult(bytes);
  // An image whose end is not found is kept whole: it is paid for, and its closing mark is there.
  const end = endOfImage(bytes, type.contentType);
  return { ...type, role, bytes: bytes.subarray(0, end), ...size, faults: [], dispose: async () => {} };
}

async function inspectResult(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { format, width, height } = await inspectImage(bytes).catch((error: unknown) => {
    throw error instanceof ImageError ? new OutputError(error.message, { cause: error }) : error;
  });
  if (isCutOff(format, bytes)) throw new OutputError(`the ${format} of ${bytes.length} bytes is cut off`);
  return { width, height };
}

/** Bytes at the end of a file in which its closing mark must stand. */
const TAIL_BYTES = 4096;

/** Encoders close what they write; a file without its closing mark lost its end. (A WebP's header tells its length.) */
function isCutOff(format: string, bytes: Buffer): boolean {
  const tail = bytes.subarray(-TAIL_BYTES);
  if (format === 'png') return !tail.includes('IEND', 0, 'latin1');
  if (format === 'jpeg') return !tail.includes('\xff\xd9', 0, 'latin1');
  return false;
}
