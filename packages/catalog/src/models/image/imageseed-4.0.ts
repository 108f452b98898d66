import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { count, imageUrls, prompt } from '../../image/fields';
import { IMAGESEED_MAX_IMAGES, imageseed, imageseedRequest } from '../../image/imageseed';
import { ratiosOf, type SizeTable } from '../../image/sizes';

const RESOLUTIONS = ['1K', '2K', '4K'] as const;

/** 1K has a short side of 1024, 4K a long side of 4096; 2K are the vendor's own presets. */
const SIZES = {
  '1:1': { '1K': [1024, 1024], '2K': [2048, 2048], '4K': [4096, 4096] },
  '4:3': { '1K': [1360, 1024], '2K': [2304, 1728], '4K': [4096, 3072] },
  '3:4': { '1K': [1024, 1360], '2K': [1728, 2304], '4K': [3072, 4096] },
  '16:9': { '1K': [1824, 1024], '2K': [2560, 1440], '4K': [4096, 2304] },
  '9:16': { '1K': [1024, 1824], '2K': [1440, 2560], '4K': [2304, 4096] },
  '3:2': { '1K': [1536, 1024], '2K': [2496, 1664], '4K': [4096, 2736] },
  '2:3': { '1K': [1024, 1536], '2K': [1664, 2496], '4K': [2736, 4096] },
  '21:9': { '1K': [2384, 1024], '2K': [3024, 1296], '4K': [4096, 1760] },
} as const satisfies SizeTable<string, (typeof RESOLUTIONS)[number]>;

export default defineModel({
  id: 'imageseed-4.0',
  version: 1,
  ...imageseed,
  input: fieldsOf(['prompt'], {
    prompt,
    size: { type: 'string', enum: ratiosOf(SIZES), description: 'Default: the model chooses.' },
    resolution: { type: 'string', enum: RESOLUTIONS, default: '2K' },
    n: count(IMAGESEED_MAX_IMAGES),
    image_urls: imageUrls(10),
    watermark: { type: 'boolean', default: false },
  }),
  prices: { per_image: 0.03 },
  request: imageseedRequest(SIZES),
  examples: [
    { prompt: 'Four seasons of one tree, one picture each', n: 4 },
    { prompt: 'A poster for a chess club', size: '3:4', resolution: '4K' },
    {
      prompt: 'The first person in the room of the second',
      image_urls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
    },
  ],
});
