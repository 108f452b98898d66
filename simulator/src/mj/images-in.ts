import { ImageSourceError } from '../media/image-source';
import type { Photo } from './image';
import type { MjTools } from './tools';
import { invalid } from './wire';

const MAX_IMAGE_BYTES = 12 * 1024 * 1024;

type Source = Pick<MjTools, 'bringIn' | 'shelf'>;

/** An image given as a data URL; throws the vendor's refusal, as it does of a link. */
export function photoOfBase64(name: string, value: string, tools: Source): Promise<Photo> {
  if (!value.startsWith('data:')) throw invalid(`${name}: the base64 format is wrong`);
  return photoOf(name, value, tools);
}

/** An image given as a data URL or a link; throws the vendor's refusal. */
export async function photoOf(name: string, value: string, { bringIn, shelf }: Source): Promise<Photo> {
  const refuse = (reason: string) => invalid(`${name}: ${reason}`);
  const { bytes } = await bringIn(value, MAX_IMAGE_BYTES).catch((error: unknown) => {
    throw error instanceof ImageSourceError ? refuse(error.message) : error;
  });
  const image = await shelf.put(bytes);
  if (!image || !['jpeg', 'png', 'webp', 'gif'].includes(image.format)) throw refuse('this is no image');
  return { kind: 'photo', key: image.key, width: image.width, height: image.height };
}
