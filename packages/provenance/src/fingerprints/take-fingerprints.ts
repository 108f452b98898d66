import type { MediaBytes, Owner } from '@mediagate/contracts';
import { createGreySquarer, extensionOf, type Ffmpeg, type SampledKind, sampleFrames } from '@mediagate/media';
import { perceptualHash } from './perceptual-hash';

/**
 * The perceptual hashes of a file: one of an image, one for each of some seconds of a video or of a sound's spectrum; none of what shows
 * nothing, a single shade or silence. Videos and sounds lie on the disk, with room beside them. Throws what the image library or ffmpeg
 * does; the signal's reason.
 */
export type FingerprintTaker = (
  file: { bytes: MediaBytes; contentType: string },
  options: { owner: Owner; signal: AbortSignal },
) => Promise<bigint[]>;

/** @param ffmpeg without it, videos and sounds have no hashes. */
export function createFingerprintTaker(ffmpeg: Ffmpeg | undefined): FingerprintTaker {
  const toGrey = createGreySquarer();

  return async ({ bytes, contentType }, options) => {
    if (contentType.startsWith('image/')) return hashesOf([await toGrey(bytes, options)]);
    const kind = sampledKind(contentType);
    if (kind === undefined || ffmpeg === undefined || Buffer.isBuffer(bytes)) return [];
    const file = { kind, path: bytes.path, extension: extensionOf(contentType) };
    return hashesOf(await sampleFrames(ffmpeg, file, options));
  };
}

/** Undefined: ffmpeg does not sample files of this type. */
export function sampledKind(contentType: string): SampledKind | undefined {
  const [kind] = contentType.split('/');
  return kind === 'video' || kind === 'audio' ? kind : undefined;
}

/** The most bits in which the hashes of files differ that look or sound alike: one speaker's sentences resemble each other more than images. */
export function maxDistanceOf(contentType: string): number {
  return sampledKind(contentType) === 'audio' ? 8 : 10;
}

/** Frames that repeat have one hash. */
function hashesOf(squares: readonly Buffer[]): bigint[] {
  return [...new Set(squares.flatMap((square) => perceptualHash(square) ?? []))];
}
