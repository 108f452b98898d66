import type { Logger } from '@mediagate/host';
import { LRUCache } from 'lru-cache';

/** Every job of a channel with a fault in the file reports it: each channel and model is logged once an hour. */
const LOGGED_ANEW_MS = 3_600_000;
const MAX_PAIRS = 1000;

/** Logs faults that come every time until an operator mends them. */
export type ReportLasting = (fault: { channelId: string; model: string; detail: string }) => void;

export function createLastingReport(logger: Logger): ReportLasting {
  const logged = new LRUCache<string, true>({ max: MAX_PAIRS, ttl: LOGGED_ANEW_MS });
  return (fault) => {
    const pair = JSON.stringify([fault.channelId, fault.model]);
    if (logged.has(pair)) return;
    logged.set(pair, true);
    logger.error('channel.mistaken', fault);
  };
}
