import { defineModel } from '../../../define-model';
import { drawing, negatesWords, promptWithFlags, repeatsNothing } from '../../../imgtool/drawing';
import { common, pictures, shapeCanBeDrawn } from '../../../imgtool/fields';
import { readFlags } from '../../../imgtool/flags';
import { imgtoolOperation } from '../../../imgtool/operation';
import { pictureFiles, picturesAreUrls } from '../../../imgtool/pictures';
import { versionIsKnown } from '../../../imgtool/version';

/** As many as stand beside the words of `imagine`; a vendor may take fewer. */
const MAX_PICTURES = 5;

export default defineModel({
  ...imgtoolOperation('edits'),
  route: { paths: ['/v1/imgtool/generations/edits'], summary: 'Edit pictures' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['prompt', 'image_urls'],
    properties: { ...drawing, image_urls: pictures(1, MAX_PICTURES), ...common },
  },
  read: readFlags,
  rules: [picturesAreUrls, shapeCanBeDrawn, versionIsKnown, negatesWords, repeatsNothing],
  media: pictureFiles,
  request: (input) => ({
    action: 'edits',
    speed: input.speed,
    prompt: promptWithFlags(input),
    niji: input.niji,
  }),
  examples: [{ prompt: 'make it night', image_urls: ['https://example.com/harbour.png'] }],
});
