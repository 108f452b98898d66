import type { Canvas } from '../media/drawing';
import { bringImage, type ImageLimits } from '../media/named-image';
import type { MjTools } from './tools';
import { invalid } from './wire';

const LIMITS: ImageLimits = { maxBytes: 12 * 1024 * 1024, formats: ['jpeg', 'png', 'webp', 'gif'] };

/** An image given as a data URL; throws the vendor's refusal, as it does of a link. */
export function photoOfBase64(name: string, value: string, tools: MjTools): Promise<Canvas> {
  if (!value.startsWith('data:')) throw invalid(`${name}: the base64 format is wrong`);
  return photoOf(name, value, tools);
}

/** An image given as a data URL or a link; throws the vendor's refusal. */
export async function photoOf(name: string, value: string, tools: MjTools): Promise<Canvas> {
  const image = await bringImage(value, tools, LIMITS);
  if ('problem' in image) throw invalid(`${name}: ${image.problem}`);
  return image;
}
