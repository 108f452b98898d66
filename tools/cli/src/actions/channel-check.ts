import {
  describeRetirement,
  describeSighting,
  listRetirements,
  lookupsOf,
  openVendorSealer,
  readSettingsInForce,
  seeChannels,
} from '@mediagate/channels';
import { checkCoverage, createPartReader, protocolsOf, type Settings } from '@mediagate/settings';
import type { Sighting } from '@mediagate/upstreams';
import { type OpenedConfiguration, openConfiguration } from '../open-configuration';
import type { Answer, Session } from '../session';
import { isFaulty, sightingText } from '../sighting-text';
import { printable, textTable } from '../text-table';
import { warnOfProxy } from '../warn-of-proxy';

type Channel = Settings['channels'][number];
type Retirement = ReturnType<typeof describeRetirement> & { channel: string };
type Listed = { channel: Channel; state: string; sighting: Sighting | undefined };

/** Checks the settings in force; the file alone where the command line names it, or no database is known. */
export async function checkInForce(session: Session, withProbe: boolean): Promise<Answer> {
  return answerOf(session, await lookInForce(session, openConfiguration(session), withProbe), withProbe);
}

/** The file alone. */
export async function checkFile(session: Session): Promise<Answer> {
  const options = { withProbe: false, readInForce: async () => undefined };
  return answerOf(session, await look(session, openConfiguration(session), options), options.withProbe);
}

/** Looks at the same as `checkInForce`, and puts nothing into words. */
export function lookInForce(session: Session, opened: OpenedConfiguration, withProbe: boolean): Promise<Looked> {
  const isAlone = session.deployment.configuration().isNamed || !session.deployment.knowsDatabase();
  return look(session, opened, { withProbe, readInForce: isAlone ? async () => undefined : readDatabase });
}

interface CheckOptions {
  withProbe: boolean;
  readInForce(session: Session, settings: Settings): ReturnType<typeof readSettingsInForce> | Promise<undefined>;
}

type Looked = Awaited<ReturnType<typeof look>>;

async function look(session: Session, opened: OpenedConfiguration, { withProbe, readInForce }: CheckOptions) {
  const { modelIds } = opened.catalogue;
  const inForce = await readInForce(session, opened.settings);
  const settings = { ...opened.settings, ...inForce };
  const sightings = withProbe ? await see(session, settings, inForce) : undefined;
  const channels = allOf(settings, inForce?.pausedChannels).map(
    (channel): Listed => ({
      channel,
      state: String(settings.channelSources.get(channel.id)?.['state'] ?? 'enabled'),
      sighting: sightings?.get(channel.id),
    }),
  );
  const unserved = checkCoverage(settings, modelIds);
  const uncovered = checkCoverage({ channels: inForce?.pausedChannels ?? [] }, unserved);
  const paused = unserved.filter((id) => !uncovered.includes(id));
  const retirements = retirementsOf(settings.channels, settings.channelSources);
  const faults = (inForce?.faulty ?? []).flatMap(({ name, faults: own }) =>
    own.map((fault) => ({ channel: name, ...fault })),
  );
  const version = inForce === undefined ? null : Number(inForce.version);
  const { digest } = settings;
  return { digest, version, channels, modelIds, retirements, uncovered, paused, faults };
}

function answerOf(session: Session, looked: Looked, withProbe: boolean): Answer {
  const { path } = session.deployment.configuration();
  const { digest, version, channels, modelIds, retirements, uncovered, paused, faults } = looked;
  return {
    json: { config: path, digest, version, channels: channels.map(toJson), retirements, uncovered, paused, faults },
    text: [
      `${printable(path)} (${digest}), ${version === null ? 'the file alone' : `with what operators have set (version ${version})`}`,
      channelTable(channels, withProbe),
      modelTable(channels, modelIds),
      ...unservedTexts({ uncovered, paused }),
      ...retirements.filter(({ stage }) => stage !== 'served').map(retirementText),
      ...faults.map(({ channel, field, message }) => `error: ${channel}: ${field}: ${message}`),
    ].join('\n\n'),
    faulty:
      faults.length > 0 ||
      channels.some(({ sighting }) => sighting !== undefined && isFaulty(sighting)) ||
      retirements.some(({ stage }) => stage === 'ended'),
  };
}

async function readDatabase(session: Session, settings: Settings): ReturnType<typeof readSettingsInForce> {
  const { env, allowOrigins } = session.deployment.configuration();
  const sealer = openVendorSealer(session.deployment.sealing());
  return readSettingsInForce(await session.openDatabase(), settings, {
    reader: createPartReader(env, { allowOrigins }),
    sealer,
  });
}

function see(
  session: Session,
  settings: Settings,
  inForce: Awaited<ReturnType<typeof readSettingsInForce>> | undefined,
) {
  warnOfProxy(session);
  return seeChannels(settings.channels, { protocols: protocolsOf(settings), lookupFor: inForce && lookupsOf(inForce) });
}

/** Channels that take tasks, and those that are closed or paused. */
function allOf({ channels, closedChannels }: Settings, paused: readonly Channel[] = []): Channel[] {
  const all = [...channels, ...closedChannels, ...paused];
  return [...new Map(all.map((channel) => [channel.id, channel])).values()];
}

function toJson({ channel, state, sighting }: Listed) {
  return {
    id: channel.id,
    protocol: channel.protocol,
    base_url: channel.baseUrl,
    priority: channel.priority,
    weight: channel.weight,
    state,
    max_concurrency: channel.maxConcurrency ?? null,
    models: Object.fromEntries(channel.models),
    ...(sighting && describeSighting(sighting)),
  };
}

function channelTable(channels: readonly Listed[], withProbe: boolean): string {
  return textTable(
    ['CHANNEL', 'PROTOCOL', 'STATE', 'PRIORITY', 'WEIGHT', 'LIMIT', 'BASE URL', ...(withProbe ? ['PROBE'] : [])],
    channels.map(({ channel, state, sighting }) => [
      channel.id,
      channel.protocol,
      state,
      String(channel.priority),
      String(channel.weight),
      String(channel.maxConcurrency ?? 'none'),
      channel.baseUrl,
      ...(sighting ? [sightingText(sighting)] : []),
    ]),
  );
}

/** In the order in which they are tried. */
function modelTable(channels: readonly Listed[], modelIds: readonly string[]): string {
  const inOrder = channels.toSorted(({ channel: a }, { channel: b }) => a.priority - b.priority);
  return textTable(
    ['MODEL', 'SERVED BY'],
    modelIds.map((model) => {
      const serving = inOrder.flatMap(({ channel: { id, models }, state }) =>
        models.has(model) ? [`${id} (${models.get(model)}${state === 'enabled' ? '' : `, ${state}`})`] : [],
      );
      return [model, serving.join(', ') || 'none'];
    }),
  );
}

function unservedTexts({ uncovered, paused }: { uncovered: readonly string[]; paused: readonly string[] }): string[] {
  if (uncovered.length === 0 && paused.length === 0) return ['every model is served'];
  const list = (about: string, models: readonly string[]) =>
    models.length === 0 ? [] : [`${about}: ${models.join(', ')}`];
  return [
    ...list('not served by any channel', uncovered),
    ...list('paused, as operators have closed their channels', paused),
  ];
}

/** Retirements of models on channels that take tasks; the next end first. */
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
