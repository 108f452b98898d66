import { defineModel } from '../../define-model';
import { videoa3 } from '../../video/videoa-3';

export default defineModel({
  ...videoa3,
  id: 'videoa-3.0-video-prime',
  version: 1,
  prices: { 'per_second.480P': 0.3, 'per_second.720P': 0.6, 'per_second.1080P': 1.2 },
  examples: [
    { prompt: 'Fireflies rise from a meadow at dusk', duration: 6, seed: 42, watermark: true },
    {
      image_with_roles: [
        { url: 'https://example.com/bud.png', role: 'first_frame' },
        { url: 'https://example.com/bloom.png', role: 'last_frame' },
      ],
      resolution: '480P',
    },
    { prompt: 'Sum up the page', link_url: 'https://example.com/news', size: '9:16', duration: 30 },
  ],
});
