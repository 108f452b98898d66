import { describeChannel, listChannels, overrideChannel } from '@mediagate/channels';
import type { ChannelChange } from '@mediagate/database';
import { editorSchema, SettingsError } from '@mediagate/settings';
import { open, toFaults } from '../open-configuration';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** As it is shipped in `deploy/config`, with the models of this build. */
export function schema(): Answer {
  return { json: editorSchema(), text: '' };
}

const MINUTE_MS = 60_000;

/** Every channel with what operators have set over the file, and how it did of late. */
export async function list(session: Session, minutes: number): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const opened = open(path, env);
  if (opened instanceof SettingsError) return toFaults(path, opened.faults);
  const database = await session.openDatabase();
  const sources = opened.settings.channelSources;
  const channels = (await listChannels({ database, sources, sinceMs: minutes * MINUTE_MS })).map(describeChannel);
  return { json: { config: path, minutes, channels }, text: stateTable(channels) };
}

function stateTable(channels: readonly ReturnType<typeof describeChannel>[]): string {
  return textTable(
    [
      'CHANNEL',
      'STATE',
      'WEIGHT',
      'SET BY',
      'BREAKER',
      'OPEN JOBS',
      'ATTEMPTS',
      'SUCCEEDED',
      'P95 MS',
      'CHARGED',
      'SPEND',
      'MARGIN',
      'KEYS',
      'FAULTS',
    ],
    channels.map(({ id, test, state, weight, override, breaker, open_jobs: openJobs, recent }) => [
      id,
      state,
      String(weight ?? ''),
      override?.set_by ?? 'the file',
      breaker.open_in === 0 ? 'closed' : `open in ${breaker.open_in}`,
      String(openJobs),
      String(recent.attempts),
      String(recent.succeeded),
      String(recent.p95_ms ?? ''),
      String(recent.charged),
      String(recent.spend),
      String(recent.margin ?? `unknown: ${recent.cost_unknown}`),
      test ? 'test' : 'live',
      Object.entries(recent.faults)
        .map(([fault, count]) => `${fault} ${count}`)
        .join(', '),
    ]),
  );
}

/** Counts in every process within seconds, and after restarts, until it is taken back. */
export async function override(
  session: Session,
  id: string,
  { change, reason }: { change: ChannelChange; reason: string | undefined },
): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const opened = open(path, env);
  if (opened instanceof SettingsError) return toFaults(path, opened.faults);
  const database = await session.openDatabase();
  const sources = () => opened.settings.channelSources;
  const outcome = await overrideChannel({ database, sources }, id, { change, request: changeBy(session, reason) });
  const { after } = await requireChanged(outcome, () => `neither the file nor an operator knows a channel ${id}`);
  const [state, weight] = [after['state'] ?? null, after['weight'] ?? null];
  const words = [state === null ? [] : [String(state)], weight === null ? [] : [`weight ${weight}`]].flat();
  const text = `channel ${id}: ${words.join(', ') || 'as the file says'}; counts within 5 seconds`;
  return { json: { id, override: { state, weight } }, text };
}

/** A channel may be taken out with its key once it has none. */
export async function jobs(session: Session): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const opened = open(path, env);
  if (opened instanceof SettingsError) return toFaults(path, opened.faults);
  const { channelSources } = opened.settings;
  const stateOf = (id: string) => {
    const source = channelSources.get(id);
    return source === undefined ? 'not in the file' : String(source['state'] ?? 'enabled');
  };
  const counted = await (await session.openDatabase()).countOpenJobs();
  const channels = counted.map(({ channelId: id, jobs: open }) => ({ id, state: stateOf(id), open_jobs: open }));
  const rows = channels.map(({ id, state, open_jobs: open }) => [id, state, String(open)]);
  const text =
    rows.length === 0 ? 'no channel has a job under way' : textTable(['CHANNEL', 'STATE', 'OPEN JOBS'], rows);
  return { json: { config: path, channels }, text };
}
