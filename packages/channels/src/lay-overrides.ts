import type { JsonObject } from '@mediagate/contracts';
import { lookupPublic } from '@mediagate/egress';
import type { Channel, FieldFault, OpenedChannel, PartReader, Settings, StoredSecrets } from '@mediagate/settings';
import { secretFileOf, setAddressFaults, setReferenceFaults, storedSecretOf } from '@mediagate/settings';
import type { LookupFor } from '@mediagate/upstreams';
import type { Overrides } from './setting-schedule';

/** The settings that count: the file's, with what operators have set over them. */
export interface LaidSettings extends Pick<Settings, 'channels' | 'closedChannels' | 'channelSources' | 'webhooks'> {
  /** Channels that take no tasks, and would if operators had left them to the file. */
  pausedChannels: Channel[];
  /** Parts that do not fit the file, or whose secret is missing: such a channel takes no tasks, such a schedule is the file's. */
  faulty: { name: string; faults: readonly FieldFault[] }[];
  /** Where channels lead that operators have set, and that neither the file nor the environment names. */
  operatorOrigins: ReadonlySet<string>;
  /** Whether the file or the environment names it. */
  isNamed(origin: string): boolean;
}

export interface LayDeps {
  reader: PartReader;
  ofDatabase?: StoredSecrets | undefined;
  /** The file whose models and packages count; absent: the one that the reader knows of. */
  file?: Pick<Settings, 'models' | 'packages'> | undefined;
}

type Laid = Pick<LaidSettings, 'channels' | 'closedChannels' | 'pausedChannels' | 'faulty'>;

/** A channel is judged with its overrides as it would be in the file, alone: one that is faulty leaves the others as they are. */
export function layOverrides(settings: Settings, overrides: Overrides, deps: LayDeps): LaidSettings {
  const sources = laySources(settings.channelSources, overrides);
  const { webhooks, faults } = layWebhooks(settings.webhooks, overrides.webhooks, deps);
  const laid: Laid = { channels: [], closedChannels: [], pausedChannels: [], faulty: [] };
  const changed = [...sources].filter(
    ([id, source]) => source !== settings.channelSources.get(id) || isReadAgain(source),
  );
  addAsRead(laid, settings, new Set(changed.map(([id]) => id)));
  for (const [id, source] of changed) {
    const part = { source, set: overrides.channels.get(id), written: settings.channelSources.get(id) };
    const opened = openKnown(part, { ...deps, file: settings });
    if (opened !== undefined) addOpened(laid, opened, { id, settings });
  }
  if (faults.length > 0) laid.faulty.push({ name: 'webhooks', faults });
  const isNamed = namedOrigins(settings, deps);
  const operatorOrigins = originsOfOperators(overrides, isNamed);
  return { ...laid, channelSources: sources, webhooks, operatorOrigins, isNamed };
}

/** For connections to vendors by these settings: an origin that operators alone have set leads to public addresses alone. */
export function lookupsOf({ operatorOrigins }: Pick<LaidSettings, 'operatorOrigins'>): LookupFor {
  return (origin) => (operatorOrigins.has(origin) ? lookupPublic : undefined);
}

function namedOrigins({ channels, closedChannels }: Settings, { reader }: LayDeps): LaidSettings['isNamed'] {
  const inFile = new Set([...channels, ...closedChannels].map(({ baseUrl }) => URL.parse(baseUrl)?.origin));
  return (origin) => inFile.has(origin) || reader.allowOrigins.has(origin);
}

function originsOfOperators(overrides: Overrides, isNamed: LaidSettings['isNamed']): Set<string> {
  const set = [...overrides.channels.values()].flatMap(({ base_url: text }) => URL.parse(String(text))?.origin ?? []);
  return new Set(set.filter((origin) => !isNamed(origin)));
}

/** Every channel there is, as a file would have it. One that is not in the file needs all that the file would have to say. */
export function laySources(
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

/** Its secret may be another than when the file was read. */
function isReadAgain({ api_key: key }: JsonObject): boolean {
  return secretFileOf(key) !== undefined || storedSecretOf(key) !== undefined;
}

/** Adds the channels that stand in the file and have nothing over them. */
function addAsRead(laid: Laid, { channels, closedChannels }: Settings, changed: ReadonlySet<string>): void {
  laid.channels.push(...channels.filter(({ id }) => !changed.has(id)));
  laid.closedChannels.push(...closedChannels.filter(({ id }) => !changed.has(id)));
}

/** A channel as it counts, and what it is made of. */
export interface LaidSource {
  source: JsonObject;
  /** Undefined: operators have set nothing of it. */
  set: JsonObject | undefined;
  /** Undefined: the file does not have it. */
  written: JsonObject | undefined;
}

/** Opens a channel, but resolves nothing where operators' values name a secret, or lead to an address, that they must not. */
export function openLaid(
  { source, set = {}, written }: LaidSource,
  { reader, ofDatabase, file }: LayDeps,
): OpenedChannel {
  const { allowOrigins } = reader;
  const faults = [...setReferenceFaults(set, written), ...setAddressFaults(set, { written, allowOrigins })];
  return faults.length > 0 ? { kind: 'faulty', faults } : reader.channel(source, ofDatabase, file);
}

/** Undefined: its secret was not asked for yet. */
function openKnown(part: LaidSource, deps: LayDeps): OpenedChannel | undefined {
  const isAwaited = deps.ofDatabase === undefined && storedSecretOf(part.source['api_key']) !== undefined;
  return isAwaited ? undefined : openLaid(part, deps);
}

function addOpened(laid: Laid, opened: OpenedChannel, { id, settings }: { id: string; settings: Settings }): void {
  const inFile = settings.channels.find((channel) => channel.id === id);
  const isClosedByFile = inFile === undefined && settings.channelSources.has(id);
  const paused = opened.kind === 'faulty' ? inFile : opened.channel;
  if (opened.kind !== 'open' && paused && !isClosedByFile) laid.pausedChannels.push(paused);
  switch (opened.kind) {
    case 'open':
      laid.channels.push(opened.channel);
      return;
    case 'closed':
      laid.closedChannels.push(opened.channel);
      return;
    case 'faulty':
      laid.faulty.push({ name: id, faults: opened.faults });
      return;
    case 'keyless':
      return;
    default:
      opened satisfies never;
  }
}

function layWebhooks(inFile: Settings['webhooks'], fields: JsonObject, { reader }: LayDeps) {
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
