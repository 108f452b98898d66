import { defineModel } from '../../../define-model';
import { given } from '../../../given';
import { common, customId, parentTask, tile } from '../../../imgtool/fields';
import { boundParent, followsUp, perImage } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';
import { namesImage } from '../../../imgtool/tile';

export default defineModel({
  ...imgtoolOperation('variation'),
  route: { paths: ['/v1/imgtool/generations/variation'], summary: 'Vary an image' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['task_id'],
    properties: { ...parentTask, index: tile, custom_id: customId, ...common },
  },
  rules: [namesImage],
  ...followsUp({ buttons: perImage('MJ::JOB::variation::'), knownByName: true }),
  media: () => [],
  request: (input) => ({
    action: 'variation',
    speed: input.speed,
    ...given({ index: input.index, customId: input.custom_id }),
    ...boundParent(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 2 }],
});
