import type { Logger } from '@mediagate/host';
import type { MediaStore } from '@mediagate/media';
import type { Duty } from '../duty';

const BITE = 100;

/** Removes stored results and uploads whose time is over; their links answer "gone" from then on. */
export function expireMedia(store: Pick<MediaStore, 'expireMedia'>, logger: Logger): Duty {
  return {
    name: 'expire-media',
    everyMs: 60_000,
    async run() {
      const { removed, errors } = await store.expireMedia(BITE);
      // What the storage would not remove stays due and must not hold up what comes after it.
      if (errors.length > 0) logger.error('media.not_removed', { count: errors.length, error: errors[0] });
      return { done: removed, more: removed + errors.length === BITE };
    },
  };
}
