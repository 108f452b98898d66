import type { FormFile } from '../vendor-call/form';
import { invalidRequest } from './wire';

/** One image as it came in, with the name of its parameter for the error message. */
export interface Upload {
  param: string;
  bytes: Buffer;
  contentType: string;
}

interface Uploads {
  images: Upload[];
  mask: Upload | undefined;
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
