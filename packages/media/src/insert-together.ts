import { createBatcher, type Database, type MediaRow, type NewMedia } from '@mediagate/database';

const LIMITS = { maxItems: 64, maxWaiting: 5000 };

/** Writes rows of files whose bytes are in the storage; those that come together share a statement. */
export function insertTogether(
  database: Pick<Database, 'insertMedia' | 'tally'>,
): (media: NewMedia) => Promise<MediaRow | undefined> {
  return createBatcher({
    ...LIMITS,
    tally: database.tally('media'),
    run: async (media) => {
      const rows = new Map((await database.insertMedia(media)).map((row) => [row.id, row]));
      return media.map(({ id }) => rows.get(id));
    },
  });
}
