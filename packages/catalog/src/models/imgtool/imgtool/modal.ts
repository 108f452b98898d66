import { message } from '@mediagate/contracts';
import { FILE_ADDRESS } from '../../../addresses';
import { defineModel } from '../../../define-model';
import type { ParsedInput, RejectedInput, SourceTask } from '../../../entry';
import { fieldsOf } from '../../../fields-of';
import { common, parentTask, prompt } from '../../../imgtool/fields';
import { readPaidFlagsAndVersion } from '../../../imgtool/flags';
import { bound, boundParent, boundPrompt, toParent } from '../../../imgtool/follow-up';
import { imageFiles, imagesAreFiles } from '../../../imgtool/images';
import { imgtoolOperation } from '../../../imgtool/operation';
import { reject } from '../../../rules';

export default defineModel({
  ...imgtoolOperation('modal'),
  route: { paths: ['/v1/imgtool/generations/modal'], summary: 'Go on with an inpaint' },
  input: fieldsOf(['task_id'], {
    ...parentTask,
    prompt,
    mask_url: { type: 'string', description: `${FILE_ADDRESS} White is painted anew.` },
    ...common,
    // Its vendor's task was opened at the speed of the inpaint.
    speed: { type: 'string', enum: ['relax', 'fast', 'turbo'], description: 'That of the inpaint.' },
  }),
  read: readPaidFlagsAndVersion,
  rules: [imagesAreFiles],
  source: ({ task_id }) => ({ field: 'task_id', taskId: task_id }),
  continuesSource: true,
  bindSource: bindWaiting,
  media: imageFiles,
  request: (input) => ({
    action: 'modal',
    speed: input.speed ?? 'relax',
    ...boundPrompt(input),
    ...boundParent(input),
  }),
  examples: [
    { task_id: 'task_01m7y2sj24fztvyr284w6jthg6', prompt: 'a door', mask_url: 'https://example.com/mask.png' },
  ],
});

/** Unlike every other parent, this one has not ended: it waits for the modal. */
function bindWaiting(input: object, task: SourceTask): ParsedInput | RejectedInput {
  if (task.operation !== 'imgtool.inpaint') return reject('task_id', 'must_be_inpaint_task');
  if (task.status === 'completed' || task.status === 'failed') {
    return reject('task_id', 'modal_after_end');
  }
  // Nothing is drawn before its modal.
  if (task.status === 'processing' || task.isContinued) {
    return reject('task_id', 'modal_after_modal');
  }
  const parent = toParent(task);
  if (!parent) return reject('task_id', 'modal_too_early');
  return atItsSpeed(bound(input, parent), task);
}

/** The vendor draws at the speed that the inpaint was opened with, so that is what is paid, whatever is sent now. */
function atItsSpeed(parsed: ParsedInput, inpaint: SourceTask): ParsedInput {
  const { speed: wished, ...input } = parsed.input;
  const { speed } = inpaint.input;
  const warnings =
    wished === undefined || wished === speed ? [] : [message('ignored_speed_of_inpaint', { field: 'speed' })];
  return { ...parsed, input: { ...input, ...(speed === undefined ? {} : { speed }) }, warnings };
}
