import type { MediaStore } from '@mediagate/media';
import type { Duty } from '../duty';

const BITE = 100;

/** Removes stored results and uploads whose time is over; their links answer "gone" from then on. */
export function expireMedia(store: Pick<MediaStore, 'expireMedia'>): Duty {
  return {
    name: 'expire-media',
    everyMs: 60_000,
    async run() {
      const { removed, errors } = await store.expireMedia(BITE);
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} objects could not be removed`);
      return { done: removed, more: removed === BITE };
    },
  };
}
