import { defineModel } from '../../define-model';
import { imagegen, imagegenInput, imagegenPricing } from '../../image/imagegen';

export default defineModel({
  id: 'imagegen-2.6-flare',
  version: 1,
  ...imagegen,
  input: imagegenInput(['low', 'medium', 'high', 'xhigh', 'max', 'auto']),
  prices: {
    image_output: 30,
    image_input: 8,
    cached_image_input: 2,
    text_input: 5,
    cached_text_input: 1.25,
  },
  ...imagegenPricing(
    { low: 196, medium: 439, high: 1756, xhigh: 3122, max: 7024 },
    { dearest: 'max', usual: 'medium' },
  ),
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
