import type { CallReply, UpstreamCall } from '@mediagate/channels';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

interface Asked<Reply> {
  ask(): Promise<Reply>;
  /** As of `MeasureCall`. */
  isOurs?: () => boolean;
}

/** Measures a call of the run's attempt at its channel. */
export function measureCall<Reply extends CallReply>(
  { current, task }: Run,
  call: UpstreamCall['call'],
  { ask, isOurs }: Asked<Reply>,
  { metrics }: WorkerDeps,
): Promise<Reply> {
  if (!current) throw new Error(`a call of task ${task.id} without an attempt`);
  return metrics.calls.measure({ channelId: current.channel.id, model: task.model, call }, ask, isOurs);
}
