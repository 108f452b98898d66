import { defineModel } from '../../../define-model';
import { variedBy } from '../../../imgtool/follow-up';
import { ofOneImage } from '../../../imgtool/one-image';

export default defineModel({
  ...ofOneImage('high_variation', { buttons: variedBy('MJ::JOB::high_variation::') }),
  route: { paths: ['/v1/imgtool/generations/high-variation'], summary: 'Vary an image much' },
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 1 }],
});
