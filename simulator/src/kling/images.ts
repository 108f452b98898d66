import type { VideoTools } from '../jobs/video-tools';
import type { InspectedImage } from '../media/inspect-image';
import { bringImage } from '../media/named-image';
import { invalidParameter } from './wire';

/** An image by its URL, or as base64 without the head of a data URL; throws the vendor's refusal. */
export async function bringInImage(
  { field, value }: { field: string; value: string },
  { tools, requestId, maxBytes }: { tools: VideoTools; requestId: string; maxBytes: number },
): Promise<InspectedImage> {
  const refuse = (reason: string) => invalidParameter(`${field}: ${reason}`, requestId);
  if (value.startsWith('data:')) throw refuse('base64 must not begin with data:');
  const link = /^https?:\/\//.test(value) ? value : `data:image/png;base64,${value}`;
  const image = await bringImage(link, tools, {
    maxBytes,
    formats: ['jpeg', 'png'],
    leastSide: 300,
    mostAspect: 2.5,
  });
  if ('problem' in image) throw refuse(image.problem);
  return image;
}
