import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { count, imageUrls, prompt } from '../../image/fields';
import { imageAddressesAreFiles, imageMedia, MEBIBYTE } from '../../image/input-media';
import { imagesMade, tokenPricing } from '../../image/token-pricing';

/** Whatever the proportions (docs.cloud.google.com, Gemini 3.1 Flash Image, found November 2026). */
const OUTPUT_TOKENS = { '512': 747, '1K': 1120, '2K': 1680, '4K': 2520 } as const;
const RESOLUTIONS = ['512', '1K', '2K', '4K'] as const;
const MAX_IMAGE_BYTES = 7 * MEBIBYTE;

interface Sized {
  prompt: string;
  n: number;
  image_urls?: readonly string[];
  resolution: keyof typeof OUTPUT_TOKENS;
}

const pricing = tokenPricing<Sized>({
  most: ({ resolution }) => OUTPUT_TOKENS[resolution],
  usual: ({ resolution }) => OUTPUT_TOKENS[resolution],
});

export default defineModel({
  id: 'imagefast-3.1',
  family: 'image',
  operation: 'images.generations',
  version: 1,
  input: fieldsOf(['prompt'], {
    prompt,
    size: {
      type: 'string',
      enum: [
        'auto',
        '1:1',
        '2:3',
        '3:2',
        '3:4',
        '4:3',
        '4:5',
        '5:4',
        '9:16',
        '16:9',
        '21:9',
        '1:4',
        '4:1',
        '1:8',
        '8:1',
      ],
      default: 'auto',
    },
    resolution: { type: 'string', enum: RESOLUTIONS, default: '1K' },
    n: count(4),
    image_urls: imageUrls(14),
  }),
  rules: [imageAddressesAreFiles],
  prices: {
    image_output: 60,
    image_input: 0.5,
    cached_image_input: 0.5,
    text_input: 0.5,
    cached_text_input: 0.5,
  },
  reserve: pricing.reserve,
  // The model's thoughts are reported with its output, at a twentieth of the price: only images are settled.
  settle: (input, usage, rates) => {
    const { outputTokens = 0 } = usage;
    const ofImages = imagesMade(input, usage) * OUTPUT_TOKENS[input.resolution];
    return pricing.settle(input, { ...usage, outputTokens: Math.min(outputTokens, ofImages) }, rates);
  },
  media: (input) => imageMedia(input, MAX_IMAGE_BYTES),
  request: ({ prompt, n, size, resolution }) => ({
    prompt,
    n,
    size: { preset: resolution },
    ...(size !== 'auto' && { aspectRatio: size }),
  }),
  deadlineMinutes: 30,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A market stall with oranges, watercolour', resolution: '512' },
    {
      prompt: 'The same stall at night',
      size: '16:9',
      resolution: '2K',
      n: 2,
      image_urls: ['https://example.com/stall.png'],
    },
    { prompt: 'A frieze of a harbour', size: '8:1', resolution: '4K' },
  ],
});
