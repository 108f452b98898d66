import type { Refused } from '@mediagate/contracts';
import { failedBy, type Outcome } from '../run-state';

/** How a refusal ends the task that is the upstream's own word on the request or the job; undefined: it is not. */
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
