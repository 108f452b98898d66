import { endpointOf } from '@mediagate/channels';
import { aboutField } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { type FileOutline, type Lack, outlineOf } from '@mediagate/upstreams';
import type { Outcome, Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { adapterOf, withoutChannel } from './await-channel';

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
