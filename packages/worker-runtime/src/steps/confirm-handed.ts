import { endpointOf } from '@mediagate/channels';
import { isPlain } from '../handed-task';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { candidatesOf } from './await-channel';
import { adapterOf } from './bar-unfit-channels';
import { unsent } from './unsent';

/**
 * The intent of a task that was handed over names the channel that this process had offered. Where it would not ask that one any more the
 * intent is withdrawn, and the task goes on as any other.
 */
export async function confirmHanded(run: Run, deps: WorkerDeps): Promise<Run> {
  if (!run.isHanded || !run.current) return run;
  const { id } = run.current.channel;
  // As it is by now: what operators have set was asked for in between.
  const channel = isPlain(id, deps) ? candidatesOf(run, deps).find((candidate) => candidate.id === id) : undefined;
  if (channel === undefined) return { ...run, outcome: unsent('its channel takes nothing just now') };
  const { task, entry } = run;
  const adapter = adapterOf(channel, deps);
  const request = entry.request(task.input, []);
  const lack = adapter.lacks?.({ request, files: [], endpoint: endpointOf(channel, task.model) });
  if (lack !== undefined) return { ...run, outcome: unsent('its channel cannot carry it') };
  return { ...run, current: { ...run.current, channel, adapter } };
}
