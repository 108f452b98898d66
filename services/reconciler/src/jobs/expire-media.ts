import type { Logger } from '@mediagate/host';
import type { MediaStore } from '@mediagate/media';
import { type Job, MAX_REMOVALS_MS } from '../job';

const BATCH = 100;

/** Removes stored results and uploads whose time is over; their links answer "gone" from then on. */
export function expireMedia(store: Pick<MediaStore, 'expireMedia'>, logger: Logger): Job {
  return {
    name: 'expire-media',
    everyMs: 60_000,
    batchLimitMs: MAX_REMOVALS_MS,
    async run() {
      const { removed, errors } = await store.expireMedia(BATCH);
      // Media that the storage would not remove stay due and must not hold up those after them.
      if (errors.length > 0) logger.error('media.not_removed', { count: errors.length, error: errors[0] });
      return { done: removed, more: removed + errors.length === BATCH };
    },
  };
}
