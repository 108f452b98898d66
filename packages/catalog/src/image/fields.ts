import { MAX_URL_LENGTH } from '../addresses';

/** Schema of fields that image models have in common. */

export const prompt = {
  type: 'string',
  maxLength: 32_000,
  description: 'What the image should show, or what should change in the images given.',
} as const;

export function imageUrls<const Max extends number>(maxItems: Max) {
  return {
    type: 'array',
    maxItems,
    items: { type: 'string', maxLength: MAX_URL_LENGTH },
    description: 'Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`).',
  } as const;
}

export function count<const Max extends number>(maximum: Max) {
  return { type: 'integer', minimum: 1, maximum, default: 1, description: 'How many images to make.' } as const;
}
