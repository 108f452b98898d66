import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { count, imageUrls, prompt } from '../../image/fields';
import { IMAGESEED_MAX_IMAGES, imageseed, imageseedRequest } from '../../image/imageseed';
import { ratiosOf, type SizeTable } from '../../image/sizes';

const RESOLUTIONS = ['2K', '3K'] as const;

/** The vendor's presets, as resellers list them alike (docs of apixo, apimart and siraya, found November 2026). */
const SIZES = {
  '1:1': { '2K': [2048, 2048], '3K': [3072, 3072] },
  '4:3': { '2K': [2304, 1728], '3K': [3456, 2592] },
  '3:4': { '2K': [1728, 2304], '3K': [2592, 3456] },
  '16:9': { '2K': [2848, 1600], '3K': [4096, 2304] },
  '9:16': { '2K': [1600, 2848], '3K': [2304, 4096] },
  '3:2': { '2K': [2496, 1664], '3K': [3744, 2496] },
  '2:3': { '2K': [1664, 2496], '3K': [2496, 3744] },
  '21:9': { '2K': [3136, 1344], '3K': [4704, 2016] },
} as const satisfies SizeTable<string, (typeof RESOLUTIONS)[number]>;

export default defineModel({
  id: 'imageseed-5.0',
  version: 1,
  ...imageseed,
  input: fieldsOf(['prompt'], {
    prompt,
    size: { type: 'string', enum: ratiosOf(SIZES), description: 'Default: the model chooses.' },
    resolution: { type: 'string', enum: RESOLUTIONS, default: '2K' },
    n: count(IMAGESEED_MAX_IMAGES),
    image_urls: imageUrls(14),
    watermark: { type: 'boolean', default: false },
  }),
  prices: { per_image: 0.035 },
  request: imageseedRequest(SIZES),
  examples: [
    { prompt: 'Four seasons of one tree, one image each', n: 4 },
    { prompt: 'A poster for a chess club', size: '3:4', resolution: '3K' },
    {
      prompt: 'The first person in the room of the second',
      image_urls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
    },
  ],
});
