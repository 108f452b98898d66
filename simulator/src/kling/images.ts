import type { VideoTools } from '../jobs/video-tools';
import type { ShelvedImage } from '../media/image-shelf';
import { ImageSourceError } from '../media/image-source';
import { invalidParameter } from './wire';

const MIN_SIDE_PIXELS = 300;
const MAX_ASPECT = 2.5;

/** An image by its URL, or as base64 without the head of a data URL; throws the vendor's refusal. */
export async function bringInImage(
  { field, value }: { field: string; value: string },
  { tools, requestId, maxBytes }: { tools: VideoTools; requestId: string; maxBytes: number },
): Promise<ShelvedImage> {
  const refuse = (reason: string) => invalidParameter(`${field}: ${reason}`, requestId);
  if (value.startsWith('data:')) throw refuse('base64 must not begin with data:');
  const link = /^https?:\/\//.test(value) ? value : `data:image/png;base64,${value}`;
  const { bytes } = await tools.bringIn(link, maxBytes).catch((error: unknown) => {
    throw error instanceof ImageSourceError ? refuse(error.message) : error;
  });
  const image = await tools.shelf.put(bytes);
  if (!image || !['jpeg', 'png'].includes(image.format)) throw refuse('the image is neither jpg nor png');
  const [shortSide = 0, longSide = 0] = [image.width, image.height].sort((one, other) => one - other);
  if (shortSide < MIN_SIDE_PIXELS) throw refuse(`sides must be at least ${MIN_SIDE_PIXELS} px`);
  if (longSide / shortSide > MAX_ASPECT) throw refuse('the aspect ratio must be 1:2.5 to 2.5:1');
  return image;
}
