import type { OpenedChannel, PartReader } from '@mediagate/settings';
import { LRUCache } from 'lru-cache';

/** Twice as many as there may be channels, as one that is changed is written in two ways. */
const MAX_JUDGED = 2000;

/**
 * Judges a channel no second time while it is written as before: judging parses it and runs the whole schema. For a reader that
 * looks up no keys, so that nothing but what is written, and which models the file describes, decides.
 */
export function judgeOnce(reader: PartReader): PartReader {
  const judged = new LRUCache<string, OpenedChannel>({ max: MAX_JUDGED });
  let models = reader.models?.();
  return {
    ...reader,
    channel(source) {
      if (reader.models?.() !== models) judged.clear();
      models = reader.models?.();
      const text = JSON.stringify(source);
      const opened = judged.get(text) ?? reader.channel(source);
      judged.set(text, opened);
      return opened;
    },
  };
}
