import { defineModel } from '../../define-model';
import { videoa3 } from '../../video/videoa-3';

export default defineModel({
  ...videoa3,
  id: 'videoa-3.0-video',
  version: 1,
  prices: { 'per_second.480P': 0.3, 'per_second.720P': 0.6, 'per_second.1080P': 1.2 },
  examples: [
    { prompt: 'A glacier calves into a green fjord', resolution: '720P', duration: 10 },
    { image_urls: ['https://example.com/dawn.jpg', 'https://example.com/noon.jpg'], duration: -1 },
    {
      prompt: 'The dog of Image 1 runs as in Video 1, to the beat of Audio 1',
      image_urls: ['https://example.com/dog.jpg'],
      video_urls: ['https://example.com/run.mp4'],
      audio_url: 'https://example.com/beat.mp3',
      resolution: '480P',
    },
    { file_url: 'https://example.com/plan.pdf', size: '16:9', audio: false },
  ],
});
