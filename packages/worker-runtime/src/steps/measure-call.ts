import type { CallReply, UpstreamCall } from '@mediagate/channels';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

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
  { metrics, reportLasting }: WorkerDeps,
): Promise<Reply> {
  if (!current) throw new Error(`a call of task ${task.id} without an attempt`);
  const of = { channelId: current.channel.id, model: task.model };
  const reply = await metrics.calls.measure({ ...of, call }, ask, isOurs);
  const { fault, mistake } = reply;
  reportLasting(of, mistake === undefined ? fault : { code: 'operator', everyTime: true, detail: mistake });
  return reply;
}
