import type { Channel } from '@mediagate/settings';
import type { Adapter } from '@mediagate/upstreams';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { isKeptBack, KEPT_BACK_MS } from './keep-suspects-off';

/**
 * Makes a task that no channel can take now wait before its files are fetched and inspected, not after. The channel's slot is
 * taken with the attempt only, so that slow files do not occupy one; one that is kept for the task stays so for 20 s.
 */
export async function awaitChannel(run: Run, deps: WorkerDeps): Promise<Run> {
  if (run.current) return run;
  const candidates = candidatesOf(run, deps);
  if (candidates.length === 0) return { ...run, outcome: withoutChannel(run, deps) };
  if (run.entry.media(run.task.input).length === 0) return run;
  const waitsMs = candidates.map((channel) =>
    isKeptBack(run, adapterOf(channel, deps), deps) ? KEPT_BACK_MS : deps.paces.waitMs(channel.id),
  );
  if (waitsMs.every((waitMs) => waitMs > 0)) return { ...run, outcome: pacedFor(waitsMs) };
  const limited = candidates.flatMap(({ id: channelId, maxConcurrency }) =>
    maxConcurrency === undefined ? [] : [{ channelId, maxConcurrency }],
  );
  const hasSlot = limited.length < candidates.length || (await deps.database.hasSlot(run.task, limited));
  return hasSlot ? run : { ...run, outcome: AT_CAPACITY };
}

/** @param waitsMs until the next start on each channel. */
export function pacedFor(waitsMs: readonly number[]): Outcome {
  return { kind: 'no_channel', reason: 'paced', waitMs: Math.min(...waitsMs) };
}

export const AT_CAPACITY: Outcome = { kind: 'no_channel', reason: 'at_capacity' };

/** Channels that may be tried, best first. */
export function candidatesOf({ task, entry }: Run, { channels }: WorkerDeps): Channel[] {
  const tried = [...task.triedChannels, ...task.barredChannels];
  return channels.candidates(task, tried, entry.madeBy(task.input));
}

/** Why no channel can be tried. */
export function withoutChannel({ task }: Run, { channels }: WorkerDeps): Outcome {
  const serving = channels.serving(task);
  if (serving.length === 0) return { kind: 'no_channel', reason: 'none_configured' };
  const untried = serving.filter(({ id }) => !task.triedChannels.includes(id) && !task.barredChannels.includes(id));
  if (untried.length === 0) return { kind: 'no_channel', reason: 'all_tried' };
  const isProbed = untried.some(({ id }) => channels.breaker(id).probing(task.model));
  return { kind: 'no_channel', reason: isProbed ? 'being_probed' : 'all_broken' };
}

export function adapterOf({ id, protocol }: Channel, { adapters }: WorkerDeps): Adapter {
  const adapter = adapters.get(protocol);
  if (!adapter) throw new Error(`channel ${id} names the unknown protocol ${protocol}`);
  return adapter;
}
