import { defineModel } from '../../define-model';
import { videoc } from '../../video/videoc-v4';

export default defineModel({
  ...videoc,
  id: 'videoc-v4-fast',
  version: 1,
  prices: { 'per_second.480p': 0.05, 'per_second.720p': 0.1, 'per_second.1080p': 0.2, ref_videos_factor: 1.75 },
  examples: [
    { prompt: 'A tram rounds a corner in the snow', duration: 8, aspect_ratio: '9:16', resolution: '720p' },
    {
      prompt: 'From the gate, past the @fountain, to the palace',
      first_frame_image: 'https://example.com/gate.jpg',
      mid_frame_images: [{ tag: '@fountain', image_url: 'https://example.com/fountain.jpg', time_stamp: 2 }],
      end_frame_image: 'https://example.com/palace.jpg',
    },
    {
      prompt: '@fox moves as in @dance',
      ref_images: [{ tag: '@fox', type: 'image', image_urls: ['https://example.com/fox.jpg'] }],
      ref_videos: [{ tag: '@dance', type: 'reference', video_url: 'https://example.com/dance.mp4' }],
      resolution: '480p',
    },
  ],
});
