import { PictureSourceError } from '../media/picture-source';
import type { Photo } from './picture';
import type { MjTools } from './tools';
import { invalid } from './wire';

const MAX_IMAGE_BYTES = 12 * 1024 * 1024;

type Source = Pick<MjTools, 'bringIn' | 'shelf'>;

/** A picture given as a data URL; throws the vendor's refusal, as it does of a link. */
export function photoOfBase64(name: string, value: string, tools: Source): Promise<Photo> {
  if (!value.startsWith('data:')) throw invalid(`${name}: the base64 format is wrong`);
  return photoOf(name, value, tools);
}

/** A picture given as a data URL or a link; throws the vendor's refusal. */
export async function photoOf(name: string, value: string, { bringIn, shelf }: Source): Promise<Photo> {
  const refuse = (reason: string) => invalid(`${name}: ${reason}`);
  const { bytes } = await bringIn(value, MAX_IMAGE_BYTES).catch((error: unknown) => {
    throw error instanceof PictureSourceError ? refuse(error.message) : error;
  });
  const picture = await shelf.put(bytes);
  if (!picture || !['jpeg', 'png', 'webp', 'gif'].includes(picture.format)) throw refuse('this is no picture');
  return { kind: 'photo', key: picture.key, width: picture.width, height: picture.height };
}
