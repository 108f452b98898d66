import { defineModel } from '../../../define-model';
import { common, pictures } from '../../../imgtool/fields';
import { imgtoolOperation } from '../../../imgtool/operation';
import { pictureFiles, picturesAreUrls } from '../../../imgtool/pictures';

export default defineModel({
  ...imgtoolOperation('describe'),
  route: { paths: ['/v1/imgtool/generations/describe'], summary: 'Describe a picture' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['image_urls'],
    properties: { image_urls: pictures(1, 1), ...common },
  },
  rules: [picturesAreUrls],
  media: pictureFiles,
  request: ({ speed }) => ({ action: 'describe', speed }),
  examples: [{ image_urls: ['https://example.com/fox.png'] }],
});
