import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { common, parentTask } from '../../../imgtool/fields';
import { boundParent, followsUp } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';

export default defineModel({
  ...imgtoolOperation('inpaint'),
  route: { paths: ['/v1/imgtool/generations/inpaint'], summary: 'Begin to paint a part of an image anew' },
  input: fieldsOf(['task_id'], { ...parentTask, ...common }),
  ...followsUp({ buttons: () => ['MJ::Inpaint::'] }),
  media: () => [],
  request: (input) => ({ action: 'inpaint', speed: input.speed, ...boundParent(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
});
