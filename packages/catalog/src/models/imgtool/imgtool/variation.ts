import { defineModel } from '../../../define-model';
import { perImage } from '../../../imgtool/follow-up';
import { ofOneImage } from '../../../imgtool/one-image';

export default defineModel({
  ...ofOneImage('variation', { buttons: perImage('MJ::JOB::variation::'), knownByName: true }),
  route: { paths: ['/v1/imgtool/generations/variation'], summary: 'Vary an image' },
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 2 }],
});
