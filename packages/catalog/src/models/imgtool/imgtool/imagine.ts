import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { drawing, negatesWords, promptWithFlags, repeatsNothing } from '../../../imgtool/drawing';
import { common, images, shapeCanBeDrawn } from '../../../imgtool/fields';
import { readFlags } from '../../../imgtool/flags';
import { imageFiles, imagesAreFiles } from '../../../imgtool/images';
import { imgtoolOperation } from '../../../imgtool/operation';
import { versionIsKnown } from '../../../imgtool/version';

/** As many as its vendor takes beside the words. */
const MAX_IMAGES = 5;

export default defineModel({
  ...imgtoolOperation('imagine'),
  route: { paths: ['/v1/imgtool/generations', '/v1/imgtool/generations/imagine'], summary: 'Draw images from words' },
  input: fieldsOf(['prompt'], { ...drawing, image_urls: images(0, MAX_IMAGES), ...common }),
  read: readFlags,
  rules: [imagesAreFiles, shapeCanBeDrawn, versionIsKnown, negatesWords, repeatsNothing],
  media: imageFiles,
  request: (input) => ({
    action: 'imagine',
    speed: input.speed,
    prompt: promptWithFlags(input),
    niji: input.niji,
  }),
  examples: [
    { prompt: 'a lighthouse at dusk' },
    { prompt: 'a lighthouse at dusk --ar 3:2 --v 7 --no people', speed: 'fast' },
    { prompt: 'a fox', niji: true, version: 7, image_urls: ['https://example.com/fox.png'], iw: 1.5, seed: 7 },
  ],
});
