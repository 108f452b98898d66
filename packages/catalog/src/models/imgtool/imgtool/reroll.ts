import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { common, parentTask } from '../../../imgtool/fields';
import { boundParent, followsUp } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';

export default defineModel({
  ...imgtoolOperation('reroll'),
  route: { paths: ['/v1/imgtool/generations/reroll'], summary: 'Draw the same again' },
  input: fieldsOf(['task_id'], { ...parentTask, ...common }),
  ...followsUp({ buttons: () => ['MJ::JOB::reroll::'], knownByName: true }),
  media: () => [],
  request: (input) => ({ action: 'reroll', speed: input.speed, ...boundParent(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6' }],
});
