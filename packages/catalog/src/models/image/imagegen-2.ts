import { defineModel } from '../../define-model';
import { imagegen, imagegenInput, imagegenPricing } from '../../image/imagegen';

export default defineModel({
  id: 'imagegen-2',
  version: 1,
  ...imagegen,
  input: imagegenInput(['low', 'medium', 'high', 'auto']),
  ...imagegenPricing({ low: 196, medium: 1756, high: 7024 }, { dearest: 'high', usual: 'medium' }),
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
