import { describeRetirement, listRetirements } from '@mediagate/channels';
import { checkCoverage, type Settings, SettingsError } from '@mediagate/settings';
import type { Sighting } from '@mediagate/upstreams';
import { open, toFaults } from '../open-configuration';
import { isFaulty, probeChannels, sightingText } from '../probe-channels';
import type { Answer, Session } from '../session';
import { printable, textTable } from '../text-table';

type Channel = Settings['channels'][number];
type Retirement = ReturnType<typeof describeRetirement> & { channel: string };
type Probed = { channel: Channel; sighting: Sighting | undefined };

export async function check(session: Session, withProbe: boolean): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const opened = open(path, env);
  if (opened instanceof SettingsError) return toFaults(path, opened.faults);
  const { settings, catalogue } = opened;
  const modelIds = catalogue.modelIds;
  const sightings = withProbe ? await probeChannels(settings.channels) : undefined;
  const channels = settings.channels.map((channel): Probed => ({ channel, sighting: sightings?.get(channel.id) }));
  const uncovered = checkCoverage(settings, modelIds);
  const retirements = retirementsOf(settings.channels, settings.channelSources);
  const text = [
    channelTable(channels, withProbe),
    modelTable(settings.channels, modelIds),
    uncoveredText(uncovered),
    ...retirements.filter(({ stage }) => stage !== 'served').map(retirementText),
  ];
  return {
    json: { config: path, digest: settings.digest, channels: channels.map(toJson), retirements, uncovered, faults: [] },
    text: [`${printable(path)} (${settings.digest})`, ...text].join('\n\n'),
    faulty:
      channels.some(({ sighting }) => sighting !== undefined && isFaulty(sighting)) ||
      retirements.some(({ stage }) => stage === 'ended'),
  };
}

function toJson({ channel, sighting }: Probed) {
  return {
    id: channel.id,
    protocol: channel.protocol,
    base_url: channel.baseUrl,
    priority: channel.priority,
    weight: channel.weight,
    max_concurrency: channel.maxConcurrency ?? null,
    models: Object.fromEntries(channel.models),
    ...(sighting && sightingJson(sighting)),
  };
}

function sightingJson({ reachable, key, detail, models, balance }: Sighting) {
  return {
    reachable,
    key,
    detail,
    upstream_models:
      models?.map(({ name, known, servedUntil }) => ({ name, known, served_until: servedUntil ?? null })) ?? null,
    balance: balance ?? null,
  };
}

function channelTable(channels: readonly Probed[], withProbe: boolean): string {
  return textTable(
    ['CHANNEL', 'PROTOCOL', 'PRIORITY', 'WEIGHT', 'LIMIT', 'BASE URL', ...(withProbe ? ['PROBE'] : [])],
    channels.map(({ channel, sighting }) => [
      channel.id,
      channel.protocol,
      String(channel.priority),
      String(channel.weight),
      String(channel.maxConcurrency ?? 'none'),
      channel.baseUrl,
      ...(sighting ? [sightingText(sighting)] : []),
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

/** Of the channels that take tasks; the next end first. */
function retirementsOf(channels: readonly Channel[], sources: Settings['channelSources']): Retirement[] {
  return channels
    .flatMap(({ id }) =>
      listRetirements(sources.get(id) ?? {}).map((each) => ({ channel: id, ...describeRetirement(each) })),
    )
    .sort((left, right) => left.days_left - right.days_left);
}

function retirementText(retirement: Retirement): string {
  const { channel, model, upstream_model: name, served_until: until, days_left: days, stage } = retirement;
  const next = retirement.replaced_by === null ? '' : `; it is followed by ${retirement.replaced_by}`;
  return stage === 'ended'
    ? `error: ${channel} serves ${model} by ${name}, which its vendor ended on ${until}${next}`
    : `warning: ${channel} serves ${model} by ${name}, which its vendor ends on ${until}, in ${days} days${next}`;
}
