import { type ImageSource, ImageSourceError } from './image-source';
import { type InspectedImage, inspectImage } from './inspect-image';

export interface ImageLimits {
  maxBytes: number;
  /** Absent: every one that can be decoded. */
  formats?: readonly string[];
  /** Pixels of a side. */
  leastSide?: number;
  mostSide?: number;
  /** The long side by the short one. */
  mostAspect?: number;
}

/** The fault of an image, for the vendor to word. */
export interface ImageProblem {
  problem: string;
  /** Whether it was fetched. */
  isThere: boolean;
}

/** Fetches and inspects the image that a request names. */
export async function bringImage(
  link: string,
  { bringIn }: { bringIn: ImageSource },
  limits: ImageLimits,
): Promise<InspectedImage | ImageProblem> {
  try {
    const { bytes } = await bringIn(link, limits.maxBytes);
    const image = await inspectImage(bytes);
    const problem = image ? problemOf(image, limits) : 'the image cannot be decoded';
    return image && problem === undefined ? image : { problem: problem ?? '', isThere: true };
  } catch (error) {
    if (error instanceof ImageSourceError) return { problem: error.message, isThere: false };
    throw error;
  }
}

function problemOf(
  { format, width, height }: InspectedImage,
  { formats, leastSide = 1, mostSide = Number.POSITIVE_INFINITY, mostAspect = Number.POSITIVE_INFINITY }: ImageLimits,
): string | undefined {
  if (formats && !formats.includes(format)) return `the image is none of ${formats.join(', ')}`;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fits = short >= leastSide && long <= mostSide && long / short <= mostAspect;
  return fits ? undefined : `sides must be ${leastSide} to ${mostSide} pixels, at most ${mostAspect}:1`;
}
