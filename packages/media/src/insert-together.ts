import { createRowBatcher, type Database, type MediaRow, type NewMedia } from '@mediagate/database';

const LIMITS = { maxItems: 64, maxWaiting: 5000 };

/** Writes rows of files whose bytes are in the storage; those that come together share a statement. */
export function insertTogether(
  database: Pick<Database, 'insertMedia' | 'tally'>,
): (media: NewMedia) => Promise<MediaRow | undefined> {
  return createRowBatcher({
    ...LIMITS,
    tally: database.tally('media'),
    rowsFor: (media: NewMedia[]) => database.insertMedia(media),
    itemId: ({ id }) => id,
    rowId: ({ id }) => id,
  });
}
