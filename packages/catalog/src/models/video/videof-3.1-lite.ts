import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { videof3, videof3Fields, videof3Pricing } from '../../video/videof-3';

export default defineModel({
  ...videof3,
  id: 'videof-3.1-lite',
  version: 1,
  input: fieldsOf(['prompt'], {
    ...videof3Fields,
    resolution: { type: 'string', enum: ['720p', '1080p'], default: '720p' },
  }),
  prices: { 'per_second.720p': 0.05, 'per_second.1080p': 0.08 },
  ...videof3Pricing<'720p' | '1080p'>(),
  examples: [
    { prompt: 'A cat watches snow fall', duration: 6, negative_prompt: 'people' },
    { prompt: 'The door opens', first_frame_image: 'https://example.com/door.png', duration: 4 },
  ],
});
