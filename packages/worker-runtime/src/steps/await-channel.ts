import { endpointOf } from '@mediagate/channels';
import { aboutField } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { type Adapter, type FileOutline, type Lack, outlineOf } from '@mediagate/upstreams';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

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
    isKeptBack(run, channel, deps) ? KEPT_BACK_MS : deps.paces.waitMs(channel.id),
  );
  if (waitsMs.every((waitMs) => waitMs > 0)) return { ...run, outcome: pacedFor(waitsMs) };
  const limited = candidates.flatMap(({ id: channelId, maxConcurrency }) =>
    maxConcurrency === undefined ? [] : [{ channelId, maxConcurrency }],
  );
  const hasSlot = limited.length < candidates.length || (await deps.writes.hasSlot(run.task, limited));
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

/** When a call that is kept back for a suspect is tried again. */
export const KEPT_BACK_MS = 3000;

/** Whether a start there would be kept back now. */
function isKeptBack(run: Run, { protocol }: Channel, { gate, adapters }: WorkerDeps): boolean {
  const adapter = adapters.get(protocol);
  return gate.isClosed && adapter !== undefined && isUnrepeatable(run, adapter);
}

/** False: it is kept back. Else no suspect has its turn until the outcome of this step is written down. */
export function keepSuspectsOff(run: Run, adapter: Adapter, { gate }: WorkerDeps): boolean {
  if (!isUnrepeatable(run, adapter)) return true;
  const leave = gate.enter();
  if (leave) run.onEnd(leave);
  return leave !== undefined;
}

/** A death would leave the outcome of a start unknown. A caller who waits for the answer is not kept waiting: it breaks off as at any death. */
function isUnrepeatable({ entry, isAlone }: Run, { afterLostAnswer }: Adapter): boolean {
  return afterLostAnswer === 'never' && !entry.synchronous && !isAlone;
}

/**
 * Bars channels whose protocols cannot express the task, without an attempt. This is judged before the caller's files are
 * fetched, and again once they are known. A task without a channel left ends, or waits for one that operators have closed.
 */
export async function barUnfitChannels(run: Run, deps: WorkerDeps): Promise<Run> {
  if (run.current) return run;
  const { task, entry, media = [] } = run;
  const open = deps.channels.serving(task).filter(({ id }) => !task.barredChannels.includes(id));
  const request = entry.request(task.input, media);
  const files = filesOf(run);
  const lackOf = (channel: Channel) =>
    adapterOf(channel, deps).lacks?.({ request, files, endpoint: endpointOf(channel, task.model) });
  const unfit = open.flatMap((channel) => {
    const lack = lackOf(channel);
    return lack === undefined ? [] : [{ id: channel.id, lack }];
  });
  const last = unfit.at(-1);
  if (last === undefined) return run;
  const barredChannels = [...task.barredChannels, ...unfit.map(({ id }) => id)];
  const barred: Run = { ...run, task: { ...task, barredChannels } };
  if (unfit.length < open.length) return barred;
  const isPaused = deps.channels.paused(task).some((channel) => lackOf(channel) === undefined);
  return { ...barred, outcome: isPaused ? withoutChannel(barred, deps) : uncarried(run, last.lack) };
}

export function adapterOf({ id, protocol }: Channel, { adapters }: WorkerDeps): Adapter {
  const adapter = adapters.get(protocol);
  if (!adapter) throw new Error(`channel ${id} names the unknown protocol ${protocol}`);
  return adapter;
}

/** Before the files are fetched only their fields and roles are known. */
function filesOf({ task, entry, media }: Run): FileOutline[] {
  return media?.map(outlineOf) ?? entry.media(task.input).map(({ field, role }) => ({ field, role }));
}

/** The same end as when the last possible channel refuses the task. */
function uncarried({ task, entry }: Run, { message: lack, part }: Lack): Outcome {
  const field = part === undefined ? undefined : entry.fieldOf(task.input, part);
  const message = field === undefined ? lack : aboutField(field, lack);
  const fault = { code: 'cannot_carry', message, detail: 'no channel can carry it' } as const;
  const param = field === undefined ? {} : { param: field };
  return { kind: 'failed', reason: 'invalid_parameter', message, fault, ...param };
}
