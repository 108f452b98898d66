import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { drawing, negatesWords, promptWithFlags, repeatsNothing } from '../../../imgtool/drawing';
import { common, images, shapeCanBeDrawn } from '../../../imgtool/fields';
import { readFlags } from '../../../imgtool/flags';
import { imageFiles, imagesAreFiles } from '../../../imgtool/images';
import { imgtoolOperation } from '../../../imgtool/operation';
import { versionIsKnown } from '../../../imgtool/version';

/** As many as stand beside the words of `imagine`; a vendor may take fewer. */
const MAX_IMAGES = 5;

export default defineModel({
  ...imgtoolOperation('edits'),
  route: { paths: ['/v1/imgtool/generations/edits'], summary: 'Edit images' },
  input: fieldsOf(['prompt', 'image_urls'], { ...drawing, image_urls: images(1, MAX_IMAGES), ...common }),
  read: readFlags,
  rules: [imagesAreFiles, shapeCanBeDrawn, versionIsKnown, negatesWords, repeatsNothing],
  media: imageFiles,
  request: (input) => ({
    action: 'edits',
    speed: input.speed,
    prompt: promptWithFlags(input),
    niji: input.niji,
  }),
  examples: [{ prompt: 'make it night', image_urls: ['https://example.com/harbour.png'] }],
});
