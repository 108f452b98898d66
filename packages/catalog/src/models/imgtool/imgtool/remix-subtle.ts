import { defineModel } from '../../../define-model';
import { remix } from '../../../imgtool/one-image';

export default defineModel({
  ...remix('remix_subtle', 'MJ::JOB::low_variation::'),
  route: { paths: ['/v1/imgtool/generations/remix-subtle'], summary: 'Draw an image anew with other words, closely' },
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 3, prompt: 'a lighthouse in winter' }],
});
