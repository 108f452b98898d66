import type { CallReply, UpstreamCall } from '@mediagate/channels';
import type { Logger } from '@mediagate/host';
import { LRUCache } from 'lru-cache';
import type { Run } from '../run-state';
import type { ReportLasting, WorkerDeps } from '../worker-deps';

interface Asked<Reply> {
  ask(): Promise<Reply>;
  /** As of `MeasureCall`. */
  isOurs?: () => boolean;
}

/** Measures a call of the run's attempt at its channel, and reports a fault of it that comes until an operator mends it. */
export async function measureCall<Reply extends CallReply>(
  { current, task }: Run,
  call: UpstreamCall['call'],
  { ask, isOurs }: Asked<Reply>,
  { metrics, reportLasting }: WorkerDeps,
): Promise<Reply> {
  if (!current) throw new Error(`a call of task ${task.id} without an attempt`);
  const of = { channelId: current.channel.id, model: task.model };
  const reply = await metrics.calls.measure({ ...of, call }, ask, isOurs);
  const { fault } = reply;
  if (fault?.everyTime) reportLasting({ ...of, detail: fault.detail });
  return reply;
}

/** Every job of a channel with a fault in the file reports it: each channel and model is logged once an hour. */
const LOGGED_ANEW_MS = 3_600_000;
const MAX_PAIRS = 1000;

export function createLastingReport(logger: Logger): ReportLasting {
  const logged = new LRUCache<string, true>({ max: MAX_PAIRS, ttl: LOGGED_ANEW_MS });
  return (fault) => {
    const pair = JSON.stringify([fault.channelId, fault.model]);
    if (logged.has(pair)) return;
    logged.set(pair, true);
    logger.error('channel.mistaken', fault);
  };
}
