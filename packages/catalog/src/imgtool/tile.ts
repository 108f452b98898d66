import { cannotCombine, missing } from '../rules';
import type { FollowUpInput } from './follow-up';

/** Rule: which image is meant has to be said, by its number or by a button, and by one of them. */
export function namesImage({ index, custom_id }: Partial<FollowUpInput>) {
  if (index === undefined && custom_id === undefined) return missing('index', 'required_or', { other: 'custom_id' });
  if (index === undefined || custom_id === undefined) return undefined;
  return cannotCombine('custom_id', 'not_together', { other: 'index' });
}
