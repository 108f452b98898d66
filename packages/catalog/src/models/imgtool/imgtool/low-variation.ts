import { defineModel } from '../../../define-model';
import { variedBy } from '../../../imgtool/follow-up';
import { ofOneImage } from '../../../imgtool/one-image';

export default defineModel({
  ...ofOneImage('low_variation', { buttons: variedBy('MJ::JOB::low_variation::') }),
  route: { paths: ['/v1/imgtool/generations/low-variation'], summary: 'Vary an image little' },
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 1 }],
});
