import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { count, imageUrls, prompt } from '../../image/fields';
import { imageAddressesAreFiles, imageMedia, MEBIBYTE } from '../../image/input-media';
import { tokenPricing } from '../../image/token-pricing';

/** Every image takes as many, whatever its proportions. */
const OUTPUT_TOKENS_PER_IMAGE = 1290;
const MAX_IMAGE_BYTES = 7 * MEBIBYTE;

export default defineModel({
  id: 'imagefast-2.5-flash-image-preview',
  aliases: ['imagefast-ext'],
  family: 'image',
  operation: 'images.generations',
  version: 1,
  input: fieldsOf(['prompt'], {
    prompt,
    size: {
      type: 'string',
      enum: ['auto', '1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
      default: 'auto',
    },
    n: count(4),
    image_urls: imageUrls(3),
  }),
  rules: [imageAddressesAreFiles],
  prices: {
    image_output: 30,
    image_input: 0.3,
    cached_image_input: 0.03,
    text_input: 0.3,
    cached_text_input: 0.03,
  },
  ...tokenPricing({ most: () => OUTPUT_TOKENS_PER_IMAGE, usual: () => OUTPUT_TOKENS_PER_IMAGE }),
  media: (input) => imageMedia(input, MAX_IMAGE_BYTES),
  request: ({ prompt, n, size }) => ({
    prompt,
    n,
    size: 'auto',
    ...(size !== 'auto' && { aspectRatio: size }),
  }),
  deadlineMinutes: 30,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A market stall with oranges, watercolour' },
    { prompt: 'The same stall at night', size: '16:9', n: 2, image_urls: ['https://example.com/stall.png'] },
  ],
});
