import type { Logger } from '@mediagate/host';
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import type { OtherModel } from './use-cases/text/text-channels';

/** A vendor that reroutes a model does so for every answer: each pair of models is logged once an hour. */
const LOGGED_ANEW_MS = 3_600_000;
const MAX_PAIRS = 1000;

/** Vendors end a model by answering as another, at its price; nothing else tells of it. */
export function createOtherModelReport({ logger, metrics }: { logger: Logger; metrics: Registry }) {
  const answers = new Counter({
    name: 'mediagate_text_other_model_total',
    help: 'Texts that were answered by another model than the channel asked for',
    labelNames: ['channel', 'model'],
    registers: [metrics],
  });
  const logged = new LRUCache<string, true>({ max: MAX_PAIRS, ttl: LOGGED_ANEW_MS });
  return (other: OtherModel): void => {
    const { channelId: channel, model, asked, answered } = other;
    answers.inc({ channel, model });
    const pair = JSON.stringify([channel, asked, answered]);
    if (logged.has(pair)) return;
    logged.set(pair, true);
    logger.warn('text.other_model', { channelId: channel, model, detail: `${answered} in place of ${asked}` });
  };
}
