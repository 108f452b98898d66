import { defineModel } from '../../define-model';
import { videoc } from '../../video/videoc-v4';

/** Quality first: 28 % above the fast model. */
export default defineModel({
  ...videoc,
  id: 'videoc-v4-std',
  version: 1,
  prices: { 'per_second.480p': 0.064, 'per_second.720p': 0.128, 'per_second.1080p': 0.256, ref_videos_factor: 1.75 },
  examples: [
    { prompt: 'A potter at the wheel, close up', resolution: '1080p' },
    {
      prompt: '@anna and @ben argue over a map',
      ref_images: [
        { tag: '@anna', type: 'image', image_urls: ['https://example.com/a1.jpg', 'https://example.com/a2.jpg'] },
        {
          tag: '@ben',
          type: 'image',
          image_urls: ['https://example.com/b.jpg'],
          audio_url: 'https://example.com/b.mp3',
        },
      ],
      duration: 12,
    },
    {
      prompt: 'After @scene the curtain falls',
      ref_videos: [{ tag: '@scene', type: 'extend', video_url: 'https://example.com/scene.mov' }],
      duration: 4,
    },
  ],
});
