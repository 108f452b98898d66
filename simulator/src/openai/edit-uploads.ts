import { type ImageSource, ImageSourceError } from '../media/image-source';
import type { FormFile } from '../vendor-call/form';
import { invalidRequest } from './wire';

/** One image as it came in, with the name of its parameter for the error message. */
export interface Upload {
  param: string;
  bytes: Buffer;
  contentType: string;
}

export interface Uploads {
  images: Upload[];
  mask: Upload | undefined;
}

export interface LinkedImage {
  image_url?: string;
  file_id?: string;
}

/** The files of a form: `image` or `image[]` repeated, and `mask`. */
export function readFormUploads(files: FormFile[]): Uploads {
  const stranger = files.find((file) => !['image', 'image[]', 'mask'].includes(file.field));
  if (stranger) throw invalidRequest(stranger.field, 'unknown_parameter', `Unknown parameter: '${stranger.field}'.`);
  const images = files.filter((file) => file.field !== 'mask');
  const many = images.length > 1;
  return {
    images: images.map((file, index) => ({ ...file, param: many ? `image[${index}]` : 'image' })),
    mask: files.filter((file) => file.field === 'mask').map((file) => ({ ...file, param: 'mask' }))[0],
  };
}

export const MAX_IMAGE_BYTES = 50 * 1024 * 1024;

/** Images named by link in the JSON form: data URLs, and http(s) URLs fetched for real. */
export async function readLinkedUploads(
  links: { images: LinkedImage[]; mask: LinkedImage | undefined },
  bringIn: ImageSource,
): Promise<Uploads> {
  const images: Upload[] = [];
  for (const [index, link] of links.images.entries()) images.push(await follow(link, `images[${index}]`, bringIn));
  return { images, mask: links.mask && (await follow(links.mask, 'mask', bringIn)) };
}

async function follow(link: LinkedImage, param: string, bringIn: ImageSource): Promise<Upload> {
  if ((link.image_url === undefined) === (link.file_id === undefined)) {
    throw invalidRequest(
      param,
      'invalid_value',
      `Invalid '${param}': exactly one of 'image_url' and 'file_id' is required.`,
    );
  }
  if (link.image_url === undefined) {
    throw invalidRequest(param, 'file_not_found', `No such File object: ${link.file_id?.slice(0, 60)}`);
  }
  try {
    return { ...(await bringIn(link.image_url, MAX_IMAGE_BYTES)), param };
  } catch (error) {
    if (!(error instanceof ImageSourceError)) throw error;
    throw invalidRequest(`${param}.image_url`, 'invalid_image_url', `Invalid '${param}.image_url': ${error.message}.`);
  }
}
