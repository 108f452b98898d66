import type { JsonObject } from '@mediagate/contracts';
import { lookupPublic } from '@mediagate/egress';
import type { Channel, FieldFault, OpenedChannel, PartReader, Settings, StoredSecrets } from '@mediagate/settings';
import { secretFileOf, setAddressFaults, setReferenceFaults, storedSecretOf } from '@mediagate/settings';
import type { LookupFor } from '@mediagate/upstreams';
import type { Overrides } from './setting-schedule';

/** The settings that count: the file's, with those of operators applied. */
export interface SettingsInForce extends Pick<Settings, 'channels' | 'closedChannels' | 'channelSources' | 'webhooks'> {
  /** Channels that take no tasks because of what operators have set. */
  pausedChannels: Channel[];
  /** Overrides that do not fit the file or lack their secret: such a channel takes no tasks, and the file's callback schedule stays. */
  faulty: { name: string; faults: readonly FieldFault[] }[];
  /** Origins that operators have set for channels and that neither the file nor the environment names. */
  operatorOrigins: ReadonlySet<string>;
  /** Whether the file or the environment names the origin. */
  isNamed(origin: string): boolean;
}

export interface OverrideDeps {
  reader: PartReader;
  ofDatabase?: StoredSecrets | undefined;
  /** The file whose models and packages count; absent: the one that the reader knows of. */
  file?: Pick<Settings, 'models' | 'packages'> | undefined;
}

type SortedChannels = Pick<SettingsInForce, 'channels' | 'closedChannels' | 'pausedChannels' | 'faulty'>;

/** Each channel with overrides is checked by itself, as if the file said so: a faulty one leaves the others as they are. */
export function applyOverrides(settings: Settings, overrides: Overrides, deps: OverrideDeps): SettingsInForce {
  const sources = sourcesInForce(settings.channelSources, overrides);
  const { webhooks, faults } = webhooksInForce(settings.webhooks, overrides.webhooks, deps);
  const sorted: SortedChannels = { channels: [], closedChannels: [], pausedChannels: [], faulty: [] };
  const changed = [...sources].filter(
    ([id, source]) => source !== settings.channelSources.get(id) || isReadAgain(source),
  );
  addAsRead(sorted, settings, new Set(changed.map(([id]) => id)));
  for (const [id, source] of changed) {
    const part = { source, set: overrides.channels.get(id), written: settings.channelSources.get(id) };
    const opened = openKnown(part, { ...deps, file: settings });
    if (opened !== undefined) addOpened(sorted, opened, { id, settings });
  }
  if (faults.length > 0) sorted.faulty.push({ name: 'webhooks', faults });
  const isNamed = namedOrigins(settings, deps);
  const operatorOrigins = originsOfOperators(overrides, isNamed);
  return { ...sorted, channelSources: sources, webhooks, operatorOrigins, isNamed };
}

/** Vendors' connections to an origin that only operators have set may lead to public addresses alone. */
export function lookupsOf({ operatorOrigins }: Pick<SettingsInForce, 'operatorOrigins'>): LookupFor {
  return (origin) => (operatorOrigins.has(origin) ? lookupPublic : undefined);
}

function namedOrigins({ channels, closedChannels }: Settings, { reader }: OverrideDeps): SettingsInForce['isNamed'] {
  const inFile = new Set([...channels, ...closedChannels].map(({ baseUrl }) => URL.parse(baseUrl)?.origin));
  return (origin) => inFile.has(origin) || reader.allowOrigins.has(origin);
}

function originsOfOperators(overrides: Overrides, isNamed: SettingsInForce['isNamed']): Set<string> {
  const set = [...overrides.channels.values()].flatMap(({ base_url: text }) => URL.parse(String(text))?.origin ?? []);
  return new Set(set.filter((origin) => !isNamed(origin)));
}

/** Returns every channel as a file would have it. A channel that only operators have set must be complete. */
export function sourcesInForce(
  inFile: ReadonlyMap<string, JsonObject>,
  { channels }: Pick<Overrides, 'channels'>,
): Map<string, JsonObject> {
  const sources = new Map(inFile);
  for (const [id, fields] of channels) {
    const written = inFile.get(id);
    if (written !== undefined || fields['protocol'] !== undefined) sources.set(id, { id, ...written, ...fields });
  }
  return sources;
}

/** The channel's secret may have changed since the file was read. */
function isReadAgain({ api_key: key }: JsonObject): boolean {
  return secretFileOf(key) !== undefined || storedSecretOf(key) !== undefined;
}

/** Adds the channels that stand in the file and have nothing over them. */
function addAsRead(sorted: SortedChannels, { channels, closedChannels }: Settings, changed: ReadonlySet<string>): void {
  sorted.channels.push(...channels.filter(({ id }) => !changed.has(id)));
  sorted.closedChannels.push(...closedChannels.filter(({ id }) => !changed.has(id)));
}

/** A channel with its overrides applied, and its two parts. */
export interface OverriddenSource {
  source: JsonObject;
  /** The operators' part; undefined: they have set nothing. */
  set: JsonObject | undefined;
  /** The file's part; undefined: the file does not have the channel. */
  written: JsonObject | undefined;
}

/** Opens a channel. Refuses, before any secret is read, values of operators that name a secret or an address that they must not. */
export function openOverridden(
  { source, set = {}, written }: OverriddenSource,
  { reader, ofDatabase, file }: OverrideDeps,
): OpenedChannel {
  const { allowOrigins } = reader;
  const faults = [...setReferenceFaults(set, written), ...setAddressFaults(set, { written, allowOrigins })];
  return faults.length > 0 ? { kind: 'faulty', faults } : reader.channel(source, ofDatabase, file);
}

/** Returns undefined while the secret of the channel has not been read from the database. */
function openKnown(part: OverriddenSource, deps: OverrideDeps): OpenedChannel | undefined {
  const isAwaited = deps.ofDatabase === undefined && storedSecretOf(part.source['api_key']) !== undefined;
  return isAwaited ? undefined : openOverridden(part, deps);
}

function addOpened(
  sorted: SortedChannels,
  opened: OpenedChannel,
  { id, settings }: { id: string; settings: Settings },
): void {
  const inFile = settings.channels.find((channel) => channel.id === id);
  const isClosedByFile = inFile === undefined && settings.channelSources.has(id);
  const paused = opened.kind === 'faulty' ? inFile : opened.channel;
  if (opened.kind !== 'open' && paused && !isClosedByFile) sorted.pausedChannels.push(paused);
  switch (opened.kind) {
    case 'open':
      sorted.channels.push(opened.channel);
      return;
    case 'closed':
      sorted.closedChannels.push(opened.channel);
      return;
    case 'faulty':
      sorted.faulty.push({ name: id, faults: opened.faults });
      return;
    case 'keyless':
      return;
    default:
      opened satisfies never;
  }
}

function webhooksInForce(inFile: Settings['webhooks'], fields: JsonObject, { reader }: OverrideDeps) {
  if (Object.keys(fields).length === 0) return { webhooks: inFile, faults: [] };
  const opened = reader.webhooks(fields);
  if ('faults' in opened) return { webhooks: inFile, faults: opened.faults };
  const { retryDelaysSeconds, timeoutSeconds } = opened.webhooks;
  const webhooks = {
    ...inFile,
    ...(fields['retry_delays_seconds'] === undefined ? {} : { retryDelaysSeconds }),
    ...(fields['timeout_seconds'] === undefined ? {} : { timeoutSeconds }),
  };
  return { webhooks, faults: [] };
}
