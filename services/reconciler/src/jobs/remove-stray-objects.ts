import type { Logger } from '@mediagate/host';
import type { MediaStore } from '@mediagate/media';
import { type Job, MAX_REMOVALS_MS } from '../job';

/** Removes stored objects that no row remembers: what a crash left behind, and what was written to a link too late. */
export function removeStrayObjects({ strayObjects }: Pick<MediaStore, 'strayObjects'>, logger: Logger): Job {
  let reported = '';
  let wasUnmarked = false;
  return {
    name: 'remove-stray-objects',
    everyMs: 60_000,
    batchLimitMs: MAX_REMOVALS_MS,
    async run() {
      const { removed, errors, others, unmarked } = await strayObjects.removeNext();
      if (unmarked !== undefined && !wasUnmarked) logger.error('media.not_marked', { error: unmarked });
      wasUnmarked = unmarked !== undefined;
      const detail = others.join(', ');
      if (detail !== '' && detail !== reported) logger.error('media.storage_shared', { detail });
      reported = detail || reported;
      if (errors.length > 0) logger.error('media.not_removed', { count: errors.length, error: errors[0] });
      return { done: removed, more: removed > 0 };
    },
  };
}
