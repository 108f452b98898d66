import type { MediaReference } from '@mediagate/contracts';
import { ImageError, inspectImage } from './inspect-image';
import { MediaError } from './media-error';
import { sniff } from './sniff';

/** What a field takes; sizes in bytes. */
export type FileLimits = Pick<MediaReference, 'field' | 'maxBytes' | 'contentTypes'>;

/** A caller's file, found good. Width and height, in pixels, of pictures only. */
export interface AcceptedFile {
  bytes: Buffer;
  /** What the bytes are, whatever they were called. */
  contentType: string;
  width?: number;
  height?: number;
}

/**
 * The one judgement of a caller's file, however it came: its size, its type by its bytes, and for a picture what its header
 * promises. Throws MediaError.
 */
export async function acceptFile(limits: FileLimits, bytes: Buffer): Promise<AcceptedFile> {
  const { field, maxBytes, contentTypes } = limits;
  if (bytes.length > maxBytes) throw tooLarge(limits, bytes.length);
  const contentType = sniff(bytes)?.contentType ?? 'of an unknown type';
  if (!contentTypes.includes(contentType)) {
    throw new MediaError(field, `The file is ${contentType}; accepted are ${contentTypes.join(', ')}.`);
  }
  if (!contentType.startsWith('image/')) return { bytes, contentType };
  const { width, height } = await inspectImage(bytes).catch((error: unknown) => {
    throw error instanceof ImageError ? new MediaError(field, error.message, { cause: error }) : error;
  });
  return { bytes, contentType, width, height };
}

export function tooLarge({ field, maxBytes }: FileLimits, bytes: number): MediaError {
  return new MediaError(field, `The file has ${bytes} bytes; at most ${maxBytes} are accepted.`, { tooLarge: true });
}
