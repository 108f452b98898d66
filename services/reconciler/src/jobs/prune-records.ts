import type { Database } from '@mediagate/database';
import type { MediaStore } from '@mediagate/media';
import type { Job } from '../job';

const BATCH = 500;
const EVERY_MS = 60_000;
const MS_PER_DAY = 86_400_000;

/** Removes the records of tasks whose retention is over. Their age is by the database's clock. */
export function pruneTaskRecords(database: Database, retentionDays: number): Job {
  return pruning('prune-task-records', async () => {
    const pruned = await database.pruneTasks(retentionDays * MS_PER_DAY, BATCH);
    return pruned.length;
  });
}

/** Forgets stored media whose bytes have long been gone. */
export function pruneMediaRecords(store: Pick<MediaStore, 'pruneMedia'>): Job {
  return pruning('prune-media-records', () => store.pruneMedia(BATCH));
}

/** Forgets idempotency keys whose day is over. */
export function pruneIdempotency(database: Database): Job {
  return pruning('prune-idempotency-keys', async () => (await database.pruneIdempotencyKeys(BATCH)).length);
}

/** Forgets what results were like, once that was kept for so many days, whether more of it is kept or not. */
export function pruneFingerprints(database: Pick<Database, 'pruneFingerprints'>, days: number): Job {
  return pruning('prune-fingerprints', async () => (await database.pruneFingerprints(days, BATCH)).length);
}

/** Longer than any task may take, and than processes of two releases run side by side. */
const UNUSED_DESTINATION_DAYS = 30;

/** Forgets where channels led, once no job there is asked about. */
export function pruneDestinations(database: Pick<Database, 'pruneDestinations'>): Job {
  return pruning('prune-destinations', async () => {
    const pruned = await database.pruneDestinations(UNUSED_DESTINATION_DAYS, BATCH);
    return pruned.length;
  });
}

/** @param prune removes rows, `BATCH` at most and what goes with the last of them, and answers how many. */
function pruning(name: string, prune: () => Promise<number>): Job {
  return {
    name,
    everyMs: EVERY_MS,
    async run() {
      const done = await prune();
      return { done, more: done >= BATCH };
    },
  };
}
