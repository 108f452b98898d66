import { describeChannel, listChannels, overrideChannel } from '@mediagate/channels';
import type { ChannelChange } from '@mediagate/database';
import { checkCoverage, editorSchema, openSettings, type Settings, SettingsError } from '@mediagate/settings';
import { probe, type Reachability } from '../reachability';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { printable, textTable } from '../text-table';

type Channel = Settings['channels'][number];
type Probed = { channel: Channel; reachability: Reachability | undefined };

export async function check(session: Session, withProbe: boolean): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const opened = open(path, env);
  if (opened instanceof SettingsError) return toFaults(path, opened.faults);
  const { settings, catalogue } = opened;
  const modelIds = catalogue.modelIds;
  const channels = await Promise.all(
    settings.channels.map(async (channel): Promise<Probed> => {
      return { channel, reachability: withProbe ? await probe(channel.baseUrl) : undefined };
    }),
  );
  const uncovered = checkCoverage(settings, modelIds);
  const text = [channelTable(channels, withProbe), modelTable(settings.channels, modelIds), uncoveredText(uncovered)];
  return {
    json: { config: path, digest: settings.digest, channels: channels.map(toJson), uncovered, faults: [] },
    text: [`${printable(path)} (${settings.digest})`, ...text].join('\n\n'),
    faulty: channels.some(({ reachability }) => reachability?.reachable === false),
  };
}

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
      'FAULTS',
    ],
    channels.map(({ id, state, weight, override, breaker, open_jobs: openJobs, recent }) => [
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

function open(path: string, env: Session['env']): ReturnType<typeof openSettings> | SettingsError {
  try {
    return openSettings(path, env);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

function toFaults(path: string, faults: readonly string[]): Answer {
  return {
    json: { config: path, channels: [], uncovered: [], faults },
    text: faults.map(printable).join('\n'),
    faulty: true,
  };
}

function toJson({ channel, reachability }: Probed) {
  return {
    id: channel.id,
    protocol: channel.protocol,
    base_url: channel.baseUrl,
    priority: channel.priority,
    weight: channel.weight,
    max_concurrency: channel.maxConcurrency ?? null,
    models: Object.fromEntries(channel.models),
    ...reachability,
  };
}

function channelTable(channels: readonly Probed[], withProbe: boolean): string {
  return textTable(
    ['CHANNEL', 'PROTOCOL', 'PRIORITY', 'WEIGHT', 'LIMIT', 'BASE URL', ...(withProbe ? ['PROBE'] : [])],
    channels.map(({ channel, reachability }) => [
      channel.id,
      channel.protocol,
      String(channel.priority),
      String(channel.weight),
      String(channel.maxConcurrency ?? 'none'),
      channel.baseUrl,
      ...(reachability ? [`${reachability.reachable ? 'reachable' : 'unreachable'} (${reachability.detail})`] : []),
    ]),
  );
}

/** In the order in which they are tried. */
function modelTable(channels: readonly Channel[], modelIds: readonly string[]): string {
  const inOrder = [...channels].sort((a, b) => a.priority - b.priority);
  return textTable(
    ['MODEL', 'SERVED BY'],
    modelIds.map((model) => {
      const serving = inOrder.flatMap(({ id, models }) => (models.has(model) ? [`${id} (${models.get(model)})`] : []));
      return [model, serving.join(', ') || 'none'];
    }),
  );
}

function uncoveredText(uncovered: readonly string[]): string {
  return uncovered.length === 0 ? 'every model is served' : `not served by any channel: ${uncovered.join(', ')}`;
}
