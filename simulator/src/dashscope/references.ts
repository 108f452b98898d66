import type { InspectedImage } from '../media/inspect-image';
import { bringImage, type ImageLimits } from '../media/named-image';
import type { Reference } from '../media/reference-source';
import type { VideoTools } from '../vendor';
import { invalidParameter, invalidUrl } from './wire';

/** Fetches what a request points to; throws the vendor's refusals. */
export interface References {
  image(link: string): Promise<InspectedImage>;
  video(link: string): Promise<Reference>;
  audio(link: string): Promise<Reference>;
  anything(link: string): Promise<Reference>;
}

const LIMITS: ImageLimits = { maxBytes: 20 * 1024 * 1024, leastSide: 240, mostSide: 8_000, mostAspect: 8 };

export function createReferences(tools: VideoTools, requestId: string): References {
  const reachKind = async (link: string, kind: Reference['kind'] | undefined): Promise<Reference> => {
    const found = await tools.reach(link);
    if ('problem' in found) throw invalidUrl(`Failed to download the file: ${found.problem}.`, requestId);
    if (kind !== undefined && found.kind !== kind) {
      throw invalidParameter(`The file is not a supported ${kind} format.`, requestId);
    }
    return found;
  };
  return {
    async image(link) {
      const image = await bringImage(link, tools, LIMITS);
      if (!('problem' in image)) return image;
      throw image.isThere
        ? invalidParameter(`Wrong image: ${image.problem}.`, requestId)
        : invalidUrl(`Failed to get the image: ${image.problem}.`, requestId);
    },
    video: (link) => reachKind(link, 'video'),
    audio: (link) => reachKind(link, 'audio'),
    anything: (link) => reachKind(link, undefined),
  };
}
