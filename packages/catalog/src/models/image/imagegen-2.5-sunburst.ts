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
  id: 'imagegen-2.5-sunburst',
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
    { prompt: 'A botanical plate of a fern', size: '3:4', quality: 'max' },
    { prompt: 'Make it winter', image_urls: ['https://example.com/street.jpg'], resolution: '2k', quality: 'medium' },
    {
      prompt: 'Put a red door into the wall',
      image_urls: ['https://example.com/house.png', 'https://example.com/door.png'],
      mask_url: 'https://example.com/house-mask.png',
      size: '1:1',
      quality: 'high',
    },
  ],
});
