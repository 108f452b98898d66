import type { ImgtoolRequest } from '@mediagate/contracts';
import type { RejectedInput, SourceTask } from '../entry';
import { fieldsOf } from '../fields-of';
import { given } from '../given';
import { reject } from '../rules';
import { common, customId, metadata, parentTask, prompt, tile } from './fields';
import { readPaidFlagsAndVersion } from './flags';
import { boundParent, boundPrompt, type FollowUpInput, followsUp, perImage } from './follow-up';
import { imgtoolOperation, REMIXED_VERSION, remixOperation } from './operation';
import { namesImage } from './tile';

type Action = ImgtoolRequest['action'];

/** An operation on one image of a task, which its place in a grid names, or a button. */
export function ofOneImage(action: Action, needs: Parameters<typeof followsUp<FollowUpInput>>[0]) {
  return {
    ...imgtoolOperation(action),
    input: fieldsOf(['task_id'], { ...parentTask, index: tile, custom_id: customId, ...common }),
    rules: [namesImage],
    ...followsUp(needs),
    media: () => [],
    request: (input: FollowUpInput & Pick<ImgtoolRequest, 'speed'>) => ({
      action,
      speed: input.speed,
      ...given({ index: input.index, customId: input.custom_id }),
      ...boundParent(input),
    }),
  } as const;
}

/** An image drawn anew in the caller's words, as near to it as the button says. */
export function remix(action: Action, button: string) {
  return {
    ...remixOperation(action),
    input: fieldsOf(['task_id', 'index'], { ...parentTask, index: tile, prompt, metadata }),
    read: readPaidFlagsAndVersion,
    rules: [],
    ...followsUp({ buttons: perImage('MJ::JOB::variation::', button), check: madeByVersion8 }),
    media: () => [],
    request: (input: { index: number; prompt?: string }): ImgtoolRequest => ({
      action,
      speed: 'relax',
      index: input.index,
      ...boundPrompt(input),
      ...boundParent(input),
    }),
  } as const;
}

/** Older versions have no remix of their own. */
function madeByVersion8(_input: unknown, { input }: SourceTask): RejectedInput | undefined {
  if (input['version'] === REMIXED_VERSION) return undefined;
  return reject('task_id', 'remix_not_offered');
}
