import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Job } from '../job';

const EVERY_MS = 5000;

/**
 * Writes down that a standby was promoted, and says up to when it knows the lost primary. Claims need no such note: each reads the timeline in its
 * own statement. Where the server hides that, a warning says so once.
 */
export function notePromotion(database: Pick<Database, 'notePromotion'>, logger: Logger): Job {
  let hasWarned = false;
  return {
    name: 'note-promotion',
    everyMs: EVERY_MS,
    async run() {
      const [noted] = await database.notePromotion();
      if (noted?.timeline === null && !hasWarned) {
        logger.warn('database.timeline_hidden', { detail: 'raise the fences by hand after a fail-over' });
        hasWarned = true;
      }
      if (noted?.epoch == null) return { done: 0, more: false };
      const knownUntil = noted.knownUntil?.toISOString() ?? 'an unknown time';
      logger.warn('database.promoted', {
        detail: `epoch ${noted.epoch}: what was committed after ${knownUntil} and not replicated is lost`,
      });
      return { done: 1, more: false };
    },
  };
}
