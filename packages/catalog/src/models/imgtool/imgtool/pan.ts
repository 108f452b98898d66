import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { common, parentTask } from '../../../imgtool/fields';
import { boundParent, followsUp } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';

interface Input {
  task_id: string;
  direction: string;
}

export default defineModel({
  ...imgtoolOperation('pan'),
  route: { paths: ['/v1/imgtool/generations/pan'], summary: 'Move the view of an image' },
  input: fieldsOf(['task_id', 'direction'], {
    ...parentTask,
    direction: { type: 'string', enum: ['left', 'right', 'up', 'down'] },
    ...common,
  }),
  ...followsUp({ buttons: ({ direction }: Input) => [`MJ::JOB::pan_${direction}::`] }),
  media: () => [],
  request: (input) => ({ action: 'pan', speed: input.speed, direction: input.direction, ...boundParent(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', direction: 'left' }],
});
