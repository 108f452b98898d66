import type { RejectedInput, SourceTask } from '../entry';
import { reject } from '../rules';

/** Older versions have no remix of their own. */
export function madeByVersion8(_input: unknown, { input }: SourceTask): RejectedInput | undefined {
  if (input['version'] === 'v8.1') return undefined;
  return reject('task_id', 'remix_not_offered');
}
