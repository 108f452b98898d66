import type { Canvas } from '../media/drawing';
import { inspectImage } from '../media/inspect-image';
import { MAX_IMAGE_BYTES, type Upload } from './edit-uploads';
import { invalidRequest } from './wire';

const MAX_IMAGES = 16;
const MAX_MASK_BYTES = 4 * 1024 * 1024;
const mimeTypes: Record<string, string> = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };

/** The input images, decoded once to know that they can be; throws the vendor's refusal. */
export async function checkImages(uploads: Upload[]): Promise<Canvas[]> {
  if (uploads.length === 0)
    throw invalidRequest('image', 'missing_required_parameter', "Missing required parameter: 'image'.");
  if (uploads.length > MAX_IMAGES) {
    const message = `Invalid 'image': array too long. Expected an array with maximum length ${MAX_IMAGES}.`;
    throw invalidRequest('image', 'array_above_max_length', message);
  }
  const images: Canvas[] = [];
  for (const [index, upload] of uploads.entries()) images.push(await checkImage(upload, index + 1));
  return images;
}

/** Throws the vendor's refusal of a mask that is no PNG below 4 MB with an alpha channel and the first image's size. */
export async function checkMask(upload: Upload, images: Canvas[]): Promise<void> {
  if (upload.bytes.length >= MAX_MASK_BYTES) {
    throw invalidRequest('mask', 'mask_too_large', "Invalid 'mask': the mask must be a PNG smaller than 4MB.");
  }
  const mask = await inspectImage(upload.bytes);
  if (mask?.format !== 'png') {
    throw invalidRequest(
      'mask',
      'invalid_mask_image_format',
      'Invalid mask image format - the mask must be a PNG image.',
    );
  }
  if (!mask.hasAlpha) {
    throw invalidRequest(
      'mask',
      'invalid_mask_image_format',
      'Invalid mask image format - mask image missing alpha channel.',
    );
  }
  const [first] = images;
  if (mask.width !== first?.width || mask.height !== first.height) {
    const message = `Invalid mask: mask size (${mask.width}x${mask.height}) does not match image size (${first?.width}x${first?.height}).`;
    throw invalidRequest('mask', 'invalid_mask_image_size', message);
  }
}

async function checkImage(upload: Upload, number: number): Promise<Canvas> {
  const type = upload.contentType.split(';')[0]?.trim() ?? '';
  if (!Object.values(mimeTypes).includes(type)) {
    const message = `Invalid file '${upload.param}': unsupported mimetype ('${type.slice(0, 60)}'). Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`;
    throw invalidRequest(upload.param, 'unsupported_file_mimetype', message);
  }
  if (upload.bytes.length > MAX_IMAGE_BYTES)
    throw invalidRequest(
      upload.param,
      'file_too_large',
      `Invalid file '${upload.param}': file too large. Images should be less than 50MB.`,
    );
  const image = await inspectImage(upload.bytes);
  if (!image || mimeTypes[image.format] === undefined) {
    const message = `Invalid image file or mode for image ${number}, please check your image file.`;
    throw invalidRequest(upload.param, 'invalid_image_file', message);
  }
  return image;
}
