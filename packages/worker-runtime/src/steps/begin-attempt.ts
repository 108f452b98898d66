import { timeOrderedId } from '@mediagate/contracts';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

/**
 * Chooses a channel and writes down the intent to use it, before anything is sent. A channel that is full is passed over;
 * when all are, or the one that is out of order is just being probed, the task waits without a mark against it.
 */
export async function beginAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  if (run.underWay) return run;
  const { task, entry } = run;
  const tried = [...task.triedChannels, ...task.barredChannels];
  const candidates = deps.channels.candidates(task.model, tried, entry.madeBy(task.input));
  for (const channel of candidates) {
    const adapter = deps.adapters.get(channel.protocol);
    if (!adapter) throw new Error(`channel ${channel.id} names the unknown protocol ${channel.protocol}`);
    const { id: channelId, protocol, maxConcurrency } = channel;
    const attemptId = `att_${timeOrderedId()}`;
    const begun = await deps.writes.beginAttempt(task, { attemptId, channelId, protocol, maxConcurrency });
    if (begun === 'begun') return { ...run, underWay: { id: attemptId, channel, adapter } };
    if (begun === 'lost') return { ...run, outcome: { kind: 'lost' } };
  }
  return { ...run, outcome: { kind: 'no_channel', reason: whyNone(run, deps, candidates.length) } };
}

function whyNone(run: Run, deps: WorkerDeps, candidates: number): (Outcome & { kind: 'no_channel' })['reason'] {
  if (candidates > 0) return 'at_capacity';
  const serving = deps.channels.serving(run.task.model);
  if (serving.length === 0) return 'none_configured';
  const { triedChannels, barredChannels } = run.task;
  const untried = serving.filter(({ id }) => !triedChannels.includes(id) && !barredChannels.includes(id));
  if (untried.length === 0) return 'all_tried';
  return untried.some((channel) => deps.channels.breaker(channel.id).probing()) ? 'being_probed' : 'all_broken';
}
