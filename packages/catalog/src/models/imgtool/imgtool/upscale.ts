import { defineModel } from '../../../define-model';
import { given } from '../../../given';
import { common, customId, parentTask, tile } from '../../../imgtool/fields';
import { boundParent, type FollowUpInput, followsUp } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';
import { namesImage } from '../../../imgtool/tile';

export default defineModel({
  ...imgtoolOperation('upscale'),
  route: { paths: ['/v1/imgtool/generations/upscale'], summary: 'Make one image of a grid alone' },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['task_id'],
    properties: { ...parentTask, index: tile, custom_id: customId, ...common },
  },
  rules: [namesImage],
  ...followsUp({ buttons: upscalers, knownByName: true }),
  media: () => [],
  request: (input) => ({
    action: 'upscale',
    speed: input.speed,
    ...given({ index: input.index, customId: input.custom_id }),
    ...boundParent(input),
  }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 2 }],
});

/** A tile of a grid by its number; a single image has buttons of its own for what makes it larger still. */
function upscalers({ index }: FollowUpInput): string[] {
  return index === undefined ? ['MJ::JOB::upsample'] : [`MJ::JOB::upsample::${index}::`];
}
