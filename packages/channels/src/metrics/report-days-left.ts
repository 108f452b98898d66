import type { Json, JsonObject } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import { readServedModel } from '@mediagate/settings';
import type { AnnouncedEnd } from '@mediagate/upstreams';
import { LRUCache } from 'lru-cache';
import { Gauge, type Registry } from 'prom-client';
import { listRetirements } from '../list-retirements';

/** A channel's sources by its id, as the file has them. */
type Sources = ReadonlyMap<string, JsonObject>;

/** Measured whenever it is read, by the file as it was read last and by what vendors have said since the start. */
export function reportDaysLeft(metrics: Registry, sources: () => Sources, ends: Pick<AnnouncedEnds, 'list'>): void {
  new Gauge({
    name: 'mediagate_channel_model_days_left',
    help: 'Days until the vendor ends the model, by served_until of the configuration file or by the Sunset header of its answers; 0 or less: it has ended',
    labelNames: ['channel', 'model'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [channel, source] of sources()) {
        if (source['test'] === true) continue;
        const announced = withAnnounced(source, channel, ends.list());
        for (const { model, daysLeft } of listRetirements(announced)) this.set({ channel, model }, daysLeft);
      }
    },
  });
}

/** The sooner end counts, where the file and the vendor differ. */
function withAnnounced(source: JsonObject, channel: string, ends: readonly AnnouncedEnd[]): JsonObject {
  const announced = new Map(ends.map(({ channelId, model, servedUntil }) => [`${channelId} ${model}`, servedUntil]));
  const models = Object.entries((source['models'] ?? {}) as JsonObject).map(([model, value]): [string, Json] => {
    const { name, retirement } = readServedModel(value);
    const days = [retirement?.servedUntil, announced.get(`${channel} ${name}`)].filter((day) => day !== undefined);
    const [soonest] = days.sort();
    return [model, soonest === undefined ? name : { name, served_until: soonest }];
  });
  return { models: Object.fromEntries(models) };
}

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
