import type { VideoTools } from '../jobs/video-tools';
import type { ShelvedImage } from '../media/image-shelf';
import { ImageSourceError } from '../media/image-source';
import type { Reference } from '../media/reference-source';
import { invalidParameter, invalidUrl } from './wire';

/** Fetches what a request points to; throws the vendor's refusals. */
export interface References {
  image(link: string): Promise<ShelvedImage>;
  video(link: string): Promise<Reference>;
  audio(link: string): Promise<Reference>;
  anything(link: string): Promise<Reference>;
}

const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const MIN_SIDE_PIXELS = 240;
const MAX_SIDE_PIXELS = 8_000;
const MAX_ASPECT = 8;

export function createReferences({ bringIn, reach, shelf }: VideoTools, requestId: string): References {
  const reachKind = async (link: string, kind: Reference['kind'] | undefined): Promise<Reference> => {
    const found = await reach(link);
    if ('problem' in found) throw invalidUrl(`Failed to download the file: ${found.problem}.`, requestId);
    if (kind !== undefined && found.kind !== kind) {
      throw invalidParameter(`The file is not a supported ${kind} format.`, requestId);
    }
    return found;
  };
  return {
    async image(link) {
      const { bytes } = await bringIn(link, MAX_IMAGE_BYTES).catch((error: unknown) => {
        if (error instanceof ImageSourceError)
          throw invalidUrl(`Failed to get the image: ${error.message}.`, requestId);
        throw error;
      });
      const image = await shelf.put(bytes);
      if (!image) throw invalidParameter('The image cannot be decoded.', requestId);
      const [shortSide = 0, longSide = 0] = [image.width, image.height].sort((one, other) => one - other);
      if (shortSide < MIN_SIDE_PIXELS || longSide > MAX_SIDE_PIXELS || longSide / shortSide > MAX_ASPECT) {
        const message = `Image sides must be ${MIN_SIDE_PIXELS} to ${MAX_SIDE_PIXELS} pixels, at most ${MAX_ASPECT}:1.`;
        throw invalidParameter(message, requestId);
      }
      return image;
    },
    video: (link) => reachKind(link, 'video'),
    audio: (link) => reachKind(link, 'audio'),
    anything: (link) => reachKind(link, undefined),
  };
}
