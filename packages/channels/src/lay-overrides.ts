import type { JsonObject } from '@mediagate/contracts';
import type { Channel, FieldFault, OpenedChannel, PartReader, Settings, StoredSecrets } from '@mediagate/settings';
import { secretFileOf, setReferenceFaults, storedSecretOf } from '@mediagate/settings';
import type { Overrides } from './setting-schedule';

/** The settings that count: the file's, with what operators have set over them. */
export interface LaidSettings extends Pick<Settings, 'channels' | 'closedChannels' | 'channelSources' | 'webhooks'> {
  /** Those that take tasks, or would if no operator had closed them. */
  offeredChannels: Channel[];
  /** Parts that do not fit the file, or whose secret is missing: such a channel takes no tasks, such a schedule is the file's. */
  faulty: { name: string; faults: readonly FieldFault[] }[];
}

export interface LayDeps {
  reader: PartReader;
  ofDatabase?: StoredSecrets | undefined;
}

type Laid = Pick<LaidSettings, 'channels' | 'closedChannels' | 'offeredChannels' | 'faulty'>;

/** A channel is judged with its overrides as it would be in the file, alone: one that is faulty leaves the others as they are. */
export function layOverrides(settings: Settings, overrides: Overrides, deps: LayDeps): LaidSettings {
  const sources = laySources(settings.channelSources, overrides);
  const { webhooks, faults } = layWebhooks(settings.webhooks, overrides.webhooks, deps);
  const laid: Laid = { channels: [], closedChannels: [], offeredChannels: [], faulty: [] };
  const changed = [...sources].filter(
    ([id, source]) => source !== settings.channelSources.get(id) || isReadAgain(source),
  );
  addAsRead(laid, settings, new Set(changed.map(([id]) => id)));
  for (const [id, source] of changed) {
    addOpened(laid, { source, set: overrides.channels.get(id), written: settings.channelSources.get(id) }, deps);
  }
  if (faults.length > 0) laid.faulty.push({ name: 'webhooks', faults });
  return { ...laid, channelSources: sources, webhooks };
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

/** What stands in the file and has nothing over it. */
function addAsRead(laid: Laid, { channels, closedChannels }: Settings, changed: ReadonlySet<string>): void {
  for (const channel of channels) if (!changed.has(channel.id)) addOpen(laid, channel);
  laid.closedChannels.push(...closedChannels.filter(({ id }) => !changed.has(id)));
}

function addOpen(laid: Laid, channel: Channel): void {
  laid.channels.push(channel);
  laid.offeredChannels.push(channel);
}

/** A channel as it counts, and what it is made of. */
export interface LaidSource {
  source: JsonObject;
  /** Undefined: operators have set nothing of it. */
  set: JsonObject | undefined;
  /** Undefined: the file does not have it. */
  written: JsonObject | undefined;
}

/** Nothing is resolved where what is set names what it must not. */
export function openLaid({ source, set = {}, written }: LaidSource, { reader, ofDatabase }: LayDeps): OpenedChannel {
  const faults = setReferenceFaults(set, written);
  return faults.length > 0 ? { kind: 'faulty', faults } : reader.channel(source, ofDatabase);
}

function addOpened(laid: Laid, part: LaidSource, deps: LayDeps): void {
  const { source, written } = part;
  // Not asked for yet.
  if (deps.ofDatabase === undefined && storedSecretOf(source['api_key']) !== undefined) return;
  const opened = openLaid(part, deps);
  switch (opened.kind) {
    case 'open':
      addOpen(laid, opened.channel);
      return;
    case 'closed':
      laid.closedChannels.push(opened.channel);
      if ((written?.['state'] ?? 'enabled') === 'enabled') laid.offeredChannels.push(opened.channel);
      return;
    case 'faulty':
      laid.faulty.push({ name: String(source['id']), faults: opened.faults });
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
