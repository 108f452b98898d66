import type { Refused } from '@mediagate/contracts';
import { failedBy, type Outcome } from '../run-state';

/** The end of a task whose request or job the upstream itself rejected; undefined: the refusal is of another kind. */
export function finalRefusal({ fault, requestIds = [] }: Refused): Outcome | undefined {
  switch (fault.code) {
    case 'bad_request':
    case 'content_policy':
    case 'generation_failed':
      return failedBy(fault, requestIds);
    default:
      return undefined;
  }
}
