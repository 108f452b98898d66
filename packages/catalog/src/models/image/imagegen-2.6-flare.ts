import { defineModel } from '../../define-model';
import { finerImagegen } from '../../image/imagegen';

export default defineModel({
  id: 'imagegen-2.6-flare',
  version: 1,
  ...finerImagegen,
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
