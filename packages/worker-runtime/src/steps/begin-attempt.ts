import { timeOrderedId } from '@mediagate/contracts';
import { isOutage } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';
import { type Intent, writeIntent } from '@mediagate/tasks';
import { outliveOutage } from '../outlive-outage';
import type { Run } from '../run-state';
import { unsent } from '../step-outcome';
import type { WorkerDeps } from '../worker-deps';
import { AT_CAPACITY, adapterOf, candidatesOf, pacedFor, withoutChannel } from './await-channel';
import { isCarriedTo } from './carry-media';
import { KEPT_BACK_MS, keepSuspectsOff } from './keep-suspects-off';

/** A channel that leads elsewhere by now: until this process has heard of it. */
const FOLLOW_MS = 2000;

/** Whether a start may go to a channel. */
type Turn =
  | { kind: 'now'; destination: string | null }
  | { kind: 'later'; waitMs: number }
  /** It has no slot free. */
  | { kind: 'full' };

/**
 * Chooses a channel and writes down the intent to use it, before anything is sent. A channel that is full is passed over;
 * when all are, or the one that is out of order is just being probed, the task waits without a mark against it. One whose
 * vendor has throttled is passed over until it is the task's turn, and one that the task's files were not brought for until
 * the next step.
 */
export async function beginAttempt(run: Run, deps: WorkerDeps): Promise<Run> {
  if (run.current) return run;
  const candidates = candidatesOf(run, deps);
  const waitsMs: number[] = [];
  for (const channel of candidates) {
    const turn = await turnAt(channel, run, deps);
    if (turn.kind === 'later') waitsMs.push(turn.waitMs);
    const begun = turn.kind === 'now' ? await beginAt(channel, turn, { run, deps }) : undefined;
    if (begun !== undefined) return begun;
  }
  // The last that could have been tried may have been barred by what the files turned out to be.
  if (candidates.length === 0) return { ...run, outcome: withoutChannel(run, deps) };
  return { ...run, outcome: waitsMs.length > 0 ? pacedFor(waitsMs) : AT_CAPACITY };
}

async function turnAt(channel: Channel, run: Run, deps: WorkerDeps): Promise<Turn> {
  if (!isCarriedTo(channel, run, deps)) return { kind: 'later', waitMs: deps.paces.waitMs(channel.id) };
  if (!keepSuspectsOff(run, adapterOf(channel, deps), deps)) return { kind: 'later', waitMs: KEPT_BACK_MS };
  // A synchronous task ends with its step; any other goes on where it was sent, whatever becomes of the channel.
  const destination = run.entry.synchronous ? null : await deps.channelBook.remember(channel, run.task.model);
  if (destination === undefined) return { kind: 'later', waitMs: FOLLOW_MS };
  return takeTurn({ channel, destination }, run, deps);
}

/** Undefined: the channel turned out to be full. */
async function beginAt(
  channel: Channel,
  { destination }: Extract<Turn, { kind: 'now' }>,
  { run, deps }: { run: Run; deps: WorkerDeps },
): Promise<Run | undefined> {
  const { id: channelId, protocol, maxConcurrency } = channel;
  const attemptId = `att_${timeOrderedId()}`;
  const written = await writePatiently(run, { attemptId, channelId, protocol, destination, maxConcurrency }, deps);
  const begun = { ...run, current: { id: attemptId, channel, adapter: adapterOf(channel, deps) } };
  switch (written) {
    case 'begun':
      return begun;
    case 'unknown':
      return { ...begun, outcome: unsent('nobody knew whether its intent was written') };
    case 'lost':
      return { ...run, outcome: { kind: 'lost' } };
    case 'at_capacity':
      return undefined;
    default:
      return written satisfies never;
  }
}

/** An intent that may be written and is not followed by its call would be taken for one that is. `unknown`: it may come late, too. */
async function writePatiently(
  { task, stillLeased }: Run,
  intent: Intent,
  { database }: WorkerDeps,
): Promise<'begun' | 'at_capacity' | 'lost' | 'unknown'> {
  try {
    return await outliveOutage(() => writeIntent(database, task, intent), { isWorthRetrying: stillLeased });
  } catch (error) {
    if (isOutage(error)) return 'unknown';
    throw error;
  }
}

/** A turn taken and not used would be lost to tasks with a slot. */
async function takeTurn(
  { channel, destination }: { channel: Channel; destination: string | null },
  { task }: Run,
  { paces, database }: WorkerDeps,
): Promise<Turn> {
  const { id: channelId, maxConcurrency } = channel;
  const restMs = paces.waitMs(channelId);
  if (restMs > 0) return { kind: 'later', waitMs: restMs };
  const isTurnScarce = paces.isPaced(channelId) && maxConcurrency !== undefined;
  if (isTurnScarce && !(await database.hasSlot(task, [{ channelId, maxConcurrency }]))) return { kind: 'full' };
  const waitMs = await paces.takeStart(channelId);
  return waitMs > 0 ? { kind: 'later', waitMs } : { kind: 'now', destination };
}
