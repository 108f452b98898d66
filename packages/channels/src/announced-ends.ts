import type { Logger } from '@mediagate/host';
import type { AnnouncedEnd } from '@mediagate/upstreams';
import { LRUCache } from 'lru-cache';

/** A vendor says it beside each answer: a model of which a week's answers said nothing is not ending any more. */
const FORGOTTEN_MS = 7 * 86_400_000;
const MAX_MODELS = 1000;

/** The ends that vendors have announced beside their answers, as this process has seen them. */
export interface AnnouncedEnds {
  heed(end: AnnouncedEnd): void;
  list(): AnnouncedEnd[];
}

/** Each announcement is logged once, and again once the vendor changes it. */
export function createAnnouncedEnds(logger: Logger): AnnouncedEnds {
  const ends = new LRUCache<string, AnnouncedEnd>({ max: MAX_MODELS, ttl: FORGOTTEN_MS });
  return {
    heed(end) {
      const { channelId, model, words } = end;
      const place = JSON.stringify([channelId, model]);
      const known = ends.get(place);
      ends.set(place, end);
      if (known?.words !== words) logger.warn('channel.ending', { channelId, detail: `${model}: ${words}` });
    },
    list: () => [...ends.values()],
  };
}
