import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { common, images, ratio, shapeCanBeDrawn } from '../../../imgtool/fields';
import { imageFiles, imagesAreFiles } from '../../../imgtool/images';
import { imgtoolOperation } from '../../../imgtool/operation';
import { cannotCombine } from '../../../rules';

const DIMENSIONS = { SQUARE: 'square', PORTRAIT: 'portrait', LANDSCAPE: 'landscape' } as const;

interface Input {
  dimensions?: keyof typeof DIMENSIONS;
  size?: string;
}

export default defineModel({
  ...imgtoolOperation('blend'),
  route: { paths: ['/v1/imgtool/generations/blend'], summary: 'Blend images' },
  input: fieldsOf(['image_urls'], {
    image_urls: images(2, 4),
    dimensions: { type: 'string', enum: ['SQUARE', 'PORTRAIT', 'LANDSCAPE'] },
    size: ratio,
    ...common,
  }),
  rules: [imagesAreFiles, shapeIsGivenOnce, shapeCanBeDrawn],
  media: imageFiles,
  request: (input) => ({ action: 'blend', speed: input.speed, dimensions: shapeOf(input) }),
  examples: [
    {
      image_urls: ['https://example.com/fox.png', 'https://example.com/owl.png'],
      dimensions: 'PORTRAIT',
    },
    { image_urls: ['https://example.com/fox.png', 'https://example.com/owl.png'], size: '16:9' },
  ],
});

function shapeIsGivenOnce({ dimensions, size }: Input) {
  if (dimensions === undefined || size === undefined) return undefined;
  return cannotCombine('size', 'not_together', { other: 'dimensions' });
}

/** The vendor has three shapes; a ratio is the nearest in kind. */
function shapeOf({ dimensions, size }: Input) {
  if (dimensions !== undefined) return DIMENSIONS[dimensions];
  const [width = 1, height = 1] = size?.split(':').map(Number) ?? [];
  if (width === height) return 'square';
  return width < height ? 'portrait' : 'landscape';
}
