import { defineModel } from '../../define-model';
import {
  imagegenCanonical,
  imagegenFields,
  imagegenMedia,
  imagegenPricing,
  imagegenRequest,
  imagegenRules,
} from '../../image/imagegen';

export default defineModel({
  id: 'imagegen-2.5-flare',
  family: 'image',
  kind: 'image',
  operation: 'images.generations',
  version: 1,
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['prompt'],
    properties: {
      ...imagegenFields,
      quality: { type: 'string', enum: ['low', 'medium', 'high', 'xhigh', 'max', 'auto'], default: 'auto' },
    },
  },
  canonical: imagegenCanonical,
  rules: imagegenRules,
  prices: {
    image_output: 30,
    image_input: 8,
    cached_image_input: 2,
    text_input: 5,
    cached_text_input: 1.25,
  },
  ...imagegenPricing({ low: 196, medium: 439, high: 1756, xhigh: 3122, max: 7024 }, { auto: 'max' }),
  media: imagegenMedia,
  request: imagegenRequest,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A lighthouse at dusk, seen from the sea' },
    { prompt: 'A lighthouse at dusk, seen from the sea', size: '16:9', resolution: '2k', quality: 'high', n: 2 },
    {
      prompt: 'A paper boat, cut out',
      size: '1024x1024',
      quality: 'low',
      background: 'transparent',
      output_format: 'webp',
      output_compression: 80,
    },
  ],
});
