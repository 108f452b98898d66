import { defineModel } from '../../../define-model';
import { common, parentTask } from '../../../imgtool/fields';
import { boundParent, followsUp } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';

export default defineModel({
  ...imgtoolOperation('inpaint'),
  route: { paths: ['/v1/imgtool/generations/inpaint'], summary: 'Begin to paint a part of an image anew' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['task_id'],
    properties: { ...parentTask, ...common },
  },
  rules: [],
  ...followsUp({ buttons: () => ['MJ::Inpaint::'] }),
  media: () => [],
  request: (input) => ({ action: 'inpaint', speed: input.speed, ...boundParent(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
});
