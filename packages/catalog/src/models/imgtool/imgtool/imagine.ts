import { defineModel } from '../../../define-model';
import { drawing, negatesWords, promptWithFlags, repeatsNothing } from '../../../imgtool/drawing';
import { common, pictures, shapeCanBeDrawn } from '../../../imgtool/fields';
import { readFlags } from '../../../imgtool/flags';
import { imgtoolOperation } from '../../../imgtool/operation';
import { pictureFiles, picturesAreUrls } from '../../../imgtool/pictures';
import { versionIsKnown } from '../../../imgtool/version';

/** As many as its vendor takes beside the words. */
const MAX_PICTURES = 5;

export default defineModel({
  ...imgtoolOperation('imagine'),
  route: { paths: ['/v1/imgtool/generations', '/v1/imgtool/generations/imagine'], summary: 'Draw pictures from words' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['prompt'],
    properties: { ...drawing, image_urls: pictures(0, MAX_PICTURES), ...common },
  },
  read: readFlags,
  rules: [picturesAreUrls, shapeCanBeDrawn, versionIsKnown, negatesWords, repeatsNothing],
  media: pictureFiles,
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
