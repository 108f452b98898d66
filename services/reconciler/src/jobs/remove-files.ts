import type { Logger } from '@mediagate/host';
import type { MediaStore } from '@mediagate/media';
import { type Job, MAX_REMOVALS_MS } from '../job';

const EXPIRED_BATCH = 100;
/** Files in one look, also those whose tasks are under way: each run looks at all that are stored. */
const INPUTS_BATCH = 500;

/** Removes stored results and uploads whose time is over; their links answer "gone" from then on. */
export function expireMedia(store: Pick<MediaStore, 'expireMedia'>, logger: Logger): Job {
  return removing('expire-media', { everyMs: 60_000, logger }, async () => {
    const { removed, errors } = await store.expireMedia(EXPIRED_BATCH);
    // Media that the storage would not remove stay due and must not hold up those after them.
    return { removed, errors, more: removed + errors.length === EXPIRED_BATCH };
  });
}

/** Removes files that were stored for a vendor and whose tasks have ended, so that others of the account have their space. */
export function releaseInputs({ inputs }: Pick<MediaStore, 'inputs'>, logger: Logger): Job {
  return removing('release-inputs', { everyMs: 10_000, logger }, () => inputs.release(INPUTS_BATCH));
}

/** Removes stored objects that no row remembers: what a crash left behind, and what was written to a link too late. */
export function removeStrayObjects({ strayObjects }: Pick<MediaStore, 'strayObjects'>, logger: Logger): Job {
  let reported = '';
  let wasUnmarked = false;
  return removing('remove-stray-objects', { everyMs: 60_000, logger }, async () => {
    const { removed, errors, others, unmarked } = await strayObjects.removeNext();
    if (unmarked !== undefined && !wasUnmarked) logger.error('media.not_marked', { error: unmarked });
    wasUnmarked = unmarked !== undefined;
    const detail = others.join(', ');
    if (detail !== '' && detail !== reported) logger.error('media.storage_shared', { detail });
    reported = detail || reported;
    return { removed, errors, more: removed > 0 };
  });
}

interface Removal {
  removed: number;
  errors: readonly unknown[];
  more: boolean;
}

function removing(
  name: string,
  { everyMs, logger }: { everyMs: number; logger: Logger },
  remove: () => Promise<Removal>,
): Job {
  return {
    name,
    everyMs,
    batchLimitMs: MAX_REMOVALS_MS,
    async run() {
      const { removed, errors, more } = await remove();
      if (errors.length > 0) logger.error('media.not_removed', { count: errors.length, error: errors[0] });
      return { done: removed, more };
    },
  };
}
