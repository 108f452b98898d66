import type { MediaBytes, Owner } from '@mediagate/contracts';
import { createGreySquarer, extensionOf, type Ffmpeg, sampleFrames } from '@mediagate/media';
import { perceptualHash } from './perceptual-hash';

/**
 * The perceptual hashes of what a file shows: of an image one, of a video one for each of some seconds, none of what shows nothing or a
 * single shade. A video lies on the disk, with room beside it. Throws what the image library or ffmpeg does; the signal's reason.
 */
export type FingerprintTaker = (
  file: { bytes: MediaBytes; contentType: string },
  options: { owner: Owner; signal: AbortSignal },
) => Promise<bigint[]>;

/** @param ffmpeg without it, videos have no hashes. */
export function createFingerprintTaker(ffmpeg: Ffmpeg | undefined): FingerprintTaker {
  const toGrey = createGreySquarer();

  return async ({ bytes, contentType }, options) => {
    if (contentType.startsWith('image/')) return hashesOf([await toGrey(bytes, options)]);
    if (!contentType.startsWith('video/') || ffmpeg === undefined || Buffer.isBuffer(bytes)) return [];
    return hashesOf(await sampleFrames(ffmpeg, { path: bytes.path, extension: extensionOf(contentType) }, options));
  };
}

/** Frames that repeat have one hash. */
function hashesOf(squares: readonly Buffer[]): bigint[] {
  return [...new Set(squares.flatMap((square) => perceptualHash(square) ?? []))];
}
