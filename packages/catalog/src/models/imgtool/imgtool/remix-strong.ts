import { defineModel } from '../../../define-model';
import { metadata, parentTask, prompt, tile } from '../../../imgtool/fields';
import { readPaidFlagsAndVersion } from '../../../imgtool/flags';
import { boundParent, boundPrompt, followsUp, perImage } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';
import { madeByVersion8 } from '../../../imgtool/remix';

export default defineModel({
  ...imgtoolOperation('remix_strong'),
  route: { paths: ['/v1/imgtool/generations/remix-strong'], summary: 'Draw an image anew with other words, freely' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['task_id', 'index'],
    properties: { ...parentTask, index: tile, prompt, metadata },
  },
  read: readPaidFlagsAndVersion,
  rules: [],
  ...followsUp({
    buttons: perImage('MJ::JOB::variation::', 'MJ::JOB::high_variation::'),
    check: madeByVersion8,
  }),
  media: () => [],
  request: (input) => ({
    action: 'remix_strong',
    speed: 'relax',
    index: input.index,
    ...boundPrompt(input),
    ...boundParent(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 3, prompt: 'a lighthouse in winter' }],
});
