import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { videof3, videof3Fields, videof3Pricing, videof3References } from '../../video/videof-3';

export default defineModel({
  ...videof3,
  id: 'videof-3.1',
  version: 1,
  input: fieldsOf(['prompt'], {
    ...videof3Fields,
    resolution: { type: 'string', enum: ['720p', '1080p', '4k'], default: '720p' },
    reference_images: videof3References,
  }),
  prices: { 'per_second.720p': 0.4, 'per_second.1080p': 0.4, 'per_second.4k': 0.6 },
  ...videof3Pricing<'720p' | '1080p' | '4k'>(),
  examples: [
    { prompt: 'Two sailors argue in a storm: "Hold the rope!"', resolution: '4k' },
    {
      prompt: 'The seed becomes a flower',
      first_frame_image: 'https://example.com/seed.jpg',
      last_frame_image: 'https://example.com/flower.jpg',
      duration: 4,
    },
    {
      prompt: 'The woman drives this car through rain',
      reference_images: ['https://example.com/woman.jpg', 'https://example.com/car.jpg'],
    },
  ],
});
