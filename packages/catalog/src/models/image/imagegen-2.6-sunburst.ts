import { defineModel } from '../../define-model';
import { finerImagegen } from '../../image/imagegen';

export default defineModel({
  id: 'imagegen-2.6-sunburst',
  version: 1,
  ...finerImagegen,
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
