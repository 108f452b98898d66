import { defineModel } from '../../../define-model';
import { given } from '../../../given';
import { common, customId, parentTask, tile } from '../../../imgtool/fields';
import { boundParent, followsUp, variedBy } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';
import { namesImage } from '../../../imgtool/tile';

export default defineModel({
  ...imgtoolOperation('low_variation'),
  route: { paths: ['/v1/imgtool/generations/low-variation'], summary: 'Vary an image little' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['task_id'],
    properties: { ...parentTask, index: tile, custom_id: customId, ...common },
  },
  rules: [namesImage],
  ...followsUp({ buttons: variedBy('MJ::JOB::low_variation::') }),
  media: () => [],
  request: (input) => ({
    action: 'low_variation',
    speed: input.speed,
    ...given({ index: input.index, customId: input.custom_id }),
    ...boundParent(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 1 }],
});
