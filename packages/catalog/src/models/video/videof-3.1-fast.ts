import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { videof3, videof3Fields, videof3Pricing, videof3References } from '../../video/videof-3';

export default defineModel({
  ...videof3,
  id: 'videof-3.1-fast',
  version: 1,
  input: fieldsOf(['prompt'], {
    ...videof3Fields,
    resolution: { type: 'string', enum: ['720p', '1080p', '4k'], default: '720p' },
    reference_images: videof3References,
  }),
  prices: { 'per_second.720p': 0.1, 'per_second.1080p': 0.12, 'per_second.4k': 0.3 },
  ...videof3Pricing<'720p' | '1080p' | '4k'>(),
  examples: [
    { prompt: 'A street band plays in the rain', duration: 4, aspect_ratio: '9:16' },
    { prompt: 'The boat sets sail', first_frame_image: 'https://example.com/boat.jpg', resolution: '1080p' },
  ],
});
