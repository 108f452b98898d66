import type { Logger } from '@mediagate/host';
import type { TaskInputs } from '@mediagate/media';
import { type Job, MAX_REMOVALS_MS } from '../job';

/** Files in one look, also those whose tasks are under way: each run looks at all that are stored. */
const BATCH = 500;

/** Removes files that were stored for a vendor and whose tasks have ended, so that others of the account have their space. */
export function releaseInputs(inputs: Pick<TaskInputs, 'release'>, logger: Logger): Job {
  return {
    name: 'release-inputs',
    everyMs: 10_000,
    batchLimitMs: MAX_REMOVALS_MS,
    async run() {
      const { removed, errors, more } = await inputs.release(BATCH);
      if (errors.length > 0) logger.error('media.not_removed', { count: errors.length, error: errors[0] });
      return { done: removed, more };
    },
  };
}
