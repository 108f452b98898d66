import { pruneIdempotencyKeys } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { MediaStore } from '@mediagate/media';
import { pruneTasks } from '@mediagate/tasks';
import type { Job } from '../job';

const BATCH = 500;
const EVERY_MS = 60_000;
const MS_PER_DAY = 86_400_000;

/** Removes the records of tasks whose retention is over. */
export function pruneTaskRecords(database: Database, retentionDays: number): Job {
  return {
    name: 'prune-task-records',
    everyMs: EVERY_MS,
    async run() {
      const done = await pruneTasks(database, { olderThanMs: retentionDays * MS_PER_DAY, limit: BATCH });
      return { done, more: done === BATCH };
    },
  };
}

/** Forgets stored media whose bytes have long been gone. */
export function pruneMediaRecords(store: Pick<MediaStore, 'pruneMedia'>): Job {
  return {
    name: 'prune-media-records',
    everyMs: EVERY_MS,
    async run() {
      const done = await store.pruneMedia(BATCH);
      return { done, more: done === BATCH };
    },
  };
}

/** Forgets idempotency keys whose day is over. */
export function pruneIdempotency(database: Database): Job {
  return {
    name: 'prune-idempotency-keys',
    everyMs: EVERY_MS,
    async run() {
      const done = await pruneIdempotencyKeys(database, BATCH);
      return { done, more: done === BATCH };
    },
  };
}

/** Longer than any task may take, and than processes of two releases run side by side. */
const UNUSED_DESTINATION_DAYS = 30;

/** Forgets where channels led, once no job there is asked about. */
export function pruneDestinations(database: Pick<Database, 'pruneDestinations'>): Job {
  return {
    name: 'prune-destinations',
    everyMs: EVERY_MS,
    async run() {
      const { length: done } = await database.pruneDestinations(UNUSED_DESTINATION_DAYS, BATCH);
      return { done, more: done === BATCH };
    },
  };
}
