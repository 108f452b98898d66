import type { CallReply, UpstreamCall } from '@mediagate/channels';
import type { Fault } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import { LRUCache } from 'lru-cache';
import type { Run } from '../run-state';
import type { WorkerMetrics } from '../worker-metrics';

interface Asked<Reply> {
  ask(): Promise<Reply>;
  /** As of `MeasureCall`. */
  isOurs?: () => boolean;
}

/** Measures a call of the run's attempt at its channel, and reports what of its reply is an operator's to mend. */
export async function measureCall<Reply extends CallReply>(
  { current, task }: Run,
  call: UpstreamCall['call'],
  { ask, isOurs }: Asked<Reply>,
  { metrics, reportLasting }: { metrics: Pick<WorkerMetrics, 'calls'>; reportLasting: ReportLasting },
): Promise<Reply> {
  if (!current) throw new Error(`a call of task ${task.id} without an attempt`);
  const of = { channelId: current.channel.id, model: task.model };
  const reply = await metrics.calls.measure({ ...of, call }, ask, isOurs);
  const { fault, mistake } = reply;
  reportLasting(of, mistake === undefined ? fault : { code: 'operator', everyTime: true, detail: mistake });
  return reply;
}

/** Every job of a channel with a fault in the file reports it: each channel, model and cause is logged once an hour. */
const LOGGED_ANEW_MS = 3_600_000;
const MAX_CAUSES = 1000;
/** A detail begins with its cause: a status, a code, a word. Behind it may stand what differs from job to job. */
const CAUSE_CHARS = 40;

/** Logs faults that are an operator's to mend: an error where they come every time, a warning where the vendor refuses the channel. */
export type ReportLasting = (place: { channelId: string; model: string }, fault: Fault | undefined) => void;

export function createLastingReport(logger: Logger): ReportLasting {
  const logged = new LRUCache<string, true>({ max: MAX_CAUSES, ttl: LOGGED_ANEW_MS });
  return ({ channelId, model }, fault) => {
    if (fault === undefined || !(fault.everyTime || fault.code === 'operator')) return;
    const { everyTime, detail } = fault;
    const cause = JSON.stringify([channelId, model, detail.slice(0, CAUSE_CHARS)]);
    if (logged.has(cause)) return;
    logged.set(cause, true);
    if (everyTime) logger.error('channel.mistaken', { channelId, model, detail });
    else logger.warn('channel.refused', { channelId, model, detail });
  };
}
