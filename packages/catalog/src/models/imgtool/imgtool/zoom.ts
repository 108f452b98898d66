import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { common, parentTask } from '../../../imgtool/fields';
import { boundParent, followsUp } from '../../../imgtool/follow-up';
import { imgtoolOperation } from '../../../imgtool/operation';

interface Input {
  task_id: string;
  zoom_ratio: number;
}

export default defineModel({
  ...imgtoolOperation('zoom'),
  route: { paths: ['/v1/imgtool/generations/zoom'], summary: 'Zoom out of an image' },
  input: fieldsOf(['task_id'], {
    ...parentTask,
    zoom_ratio: { type: 'number', exclusiveMinimum: 0, default: 2, description: 'Below 2 is 1.5.' },
    ...common,
  }),
  ...followsUp({ buttons: (input: Input) => [`MJ::Outpaint::${zoomOf(input) === 2 ? 50 : 75}::`] }),
  media: () => [],
  request: (input) => ({ action: 'zoom', speed: input.speed, zoom: zoomOf(input), ...boundParent(input) }),
  examples: [{ task_id: 'task_01m7y2sj24fztvyr284w6jthg6', zoom_ratio: 1.5 }],
});

/** The two that the vendor has; only single images have a button for them, grids do not. */
function zoomOf({ zoom_ratio: ratio }: Input): 1.5 | 2 {
  return ratio < 2 ? 1.5 : 2;
}
