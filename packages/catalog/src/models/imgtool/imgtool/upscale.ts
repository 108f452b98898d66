import { defineModel } from '../../../define-model';
import type { FollowUpInput } from '../../../imgtool/follow-up';
import { ofOneImage } from '../../../imgtool/one-image';

export default defineModel({
  ...ofOneImage('upscale', { buttons: upscalers, knownByName: true }),
  route: { paths: ['/v1/imgtool/generations/upscale'], summary: 'Make one image of a grid alone' },
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', index: 2 }],
});

/** A tile of a grid by its number; a single image has buttons of its own for what makes it larger still. */
function upscalers({ index }: FollowUpInput): string[] {
  return index === undefined ? ['MJ::JOB::upsample'] : [`MJ::JOB::upsample::${index}::`];
}
