import { defineModel } from '../../define-model';
import { imagegen, imagegenInput, imagegenPricing } from '../../image/imagegen';

export default defineModel({
  id: 'imagegen-2.6-sunburst',
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
    { prompt: 'A botanical plate of a fern', size: '3:4', quality: 'max' },
    { prompt: 'Make it winter', image_urls: ['https://example.com/street.jpg'], resolution: '2k', quality: 'medium' },
    {
      prompt: 'Put a red door into the wall',
      image_urls: ['https://example.com/house.png', 'https://example.com/door.png'],
      mask_url: 'https://example.com/house-mask.png',
      size: '1:1',
      quality: 'high',
    },
  ],
});
