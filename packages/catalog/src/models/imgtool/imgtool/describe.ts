import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { common, images } from '../../../imgtool/fields';
import { imageFiles, imagesAreFiles } from '../../../imgtool/images';
import { imgtoolOperation } from '../../../imgtool/operation';

export default defineModel({
  ...imgtoolOperation('describe'),
  route: { paths: ['/v1/imgtool/generations/describe'], summary: 'Describe an image' },
  input: fieldsOf(['image_urls'], { image_urls: images(1, 1), ...common }),
  rules: [imagesAreFiles],
  media: imageFiles,
  request: ({ speed }) => ({ action: 'describe', speed }),
  examples: [{ image_urls: ['https://example.com/fox.png'] }],
});
